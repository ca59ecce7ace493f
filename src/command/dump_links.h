/*
 * dump_links.h: which objects of a heap dump others refer to, and which of those are in the
 * dump. Objects may come in any order, and there may be more than fit into memory, so that
 * each is a bit in a table of fixed size, by the hash of its id: an object that is missing
 * can hide in the bit of one that is there, but none is counted that is not missing. Classes
 * that are roots are counted exactly. Memory grows with classes alone. One thread; no lock.
 */
#ifndef HPROF_COMMAND_DUMP_LINKS_H
#define HPROF_COMMAND_DUMP_LINKS_H

#include "base/address_map.h"
#include "hprof/heap_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields of a class itself, in the order of an instance's values. */
struct link_class {
	uint64_t super_id;
	uint16_t field_count;
	uint8_t *types; /* enum hprof_type */
};

enum { LINK_PAGES = 4096 };

struct dump_links {
	uint64_t *defined[LINK_PAGES]; /* bits; each page NULL until the first is set */
	uint64_t *named[LINK_PAGES];
	struct link_class *classes;
	size_t class_count;
	size_t class_capacity;
	struct address_map class_by_id; /* to index */
	struct address_map class_roots; /* ids of classes that are roots, each to itself */
};

/* What dumps refer to and do not have. */
struct missing_links {
	uint64_t objects; /* at least */
	uint64_t classes; /* that are roots; not among the objects */
};

void dump_links_init(struct dump_links *links);
void dump_links_free(struct dump_links *links);

/* The object is in the dump. False without memory. */
bool dump_links_define(struct dump_links *links, uint64_t id);

/* Something in the dump refers to the object; 0 is none. False without memory. */
bool dump_links_name(struct dump_links *links, uint64_t id);

/* The class is a root of the dump. False without memory. */
bool dump_links_class_root(struct dump_links *links, uint64_t id);

/* The fields of a class and what it refers to itself. False without memory. */
bool dump_links_class(struct dump_links *links, uint64_t id, const struct hprof_class *class);

/* What an instance refers to by its values; nothing when its class has not been in the dump
 * yet, or has values of another length. False without memory. */
bool dump_links_instance(struct dump_links *links, uint64_t class_id, const uint8_t *values,
                         uint32_t length, unsigned id_size);

/* Adds what is referred to and is not in the dump; forgets the dump. */
void dump_links_end(struct dump_links *links, struct missing_links *missing);

#endif
