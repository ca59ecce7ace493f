/*
 * dump_links.h: finds objects that a heap dump refers to but does not contain. Objects come in
 * any order, and more of them than fit into memory, so each one is a bit in a table of fixed
 * size, by the hash of its id. A missing object can share the bit of an existing one and go
 * unnoticed, but no existing object is ever counted as missing. Classes that are roots are
 * counted exactly. Memory grows only with classes. One thread; no lock.
 */
#ifndef HPROF_CHECK_DUMP_LINKS_H
#define HPROF_CHECK_DUMP_LINKS_H

#include "base/address_map.h"
#include "hprof/heap_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The own fields of a class, in the order of the values of an instance. */
struct link_class {
	uint64_t super_id;
	uint16_t field_count;
	uint8_t *types; /* enum hprof_type */
};

enum { LINK_PAGES = 4096 };

struct dump_links {
	uint64_t *defined[LINK_PAGES]; /* bits; a page is NULL until its first bit is set */
	uint64_t *named[LINK_PAGES];
	struct link_class *classes;
	size_t class_count;
	size_t class_capacity;
	struct address_map class_by_id; /* to index */
	struct address_map class_roots; /* ids of classes that are roots, as key and value */
};

/* What dumps refer to but do not contain. */
struct missing_links {
	uint64_t objects; /* at least */
	uint64_t classes; /* roots; not counted among the objects */
};

void dump_links_init(struct dump_links *links);
void dump_links_free(struct dump_links *links);

/* Notes that the dump contains the object. False when out of memory. */
bool dump_links_define(struct dump_links *links, uint64_t id);

/* Notes a reference to the object; 0 is null. False when out of memory. */
bool dump_links_name(struct dump_links *links, uint64_t id);

/* Notes that the class is a root. False when out of memory. */
bool dump_links_class_root(struct dump_links *links, uint64_t id);

/* Notes the fields of a class and its own references. False when out of memory. */
bool dump_links_class(struct dump_links *links, uint64_t id, const struct hprof_class *class);

/* Notes the references in the values of an instance; none if its class has not been in the dump
 * yet or has values of another length. False when out of memory. */
bool dump_links_instance(struct dump_links *links, uint64_t class_id, const uint8_t *values,
                         uint32_t length, unsigned id_size);

/* Adds what is missing to *missing, and clears the table for the next dump. */
void dump_links_end(struct dump_links *links, struct missing_links *missing);

#endif
