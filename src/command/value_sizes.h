/*
 * value_sizes.h: how many bytes of values the instances of a class have, from the CLASS
 * DUMPs of it and its super classes. One thread; no lock.
 */
#ifndef HPROF_COMMAND_VALUE_SIZES_H
#define HPROF_COMMAND_VALUE_SIZES_H

#include "base/address_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_size {
	uint64_t super_id; /* 0: none */
	uint64_t own;      /* bytes of the fields that it declares */
	uint64_t all;      /* with those of its super classes, once they were asked for */
	bool all_known;
};

struct value_sizes {
	struct address_map places; /* of class objects, in layouts */
	struct value_size *layouts;
	size_t count;
	size_t capacity;
};

void value_sizes_init(struct value_sizes *layouts);
void value_sizes_free(struct value_sizes *layouts);

/* What a CLASS DUMP tells; a later one of the same class counts. False without memory. */
bool value_sizes_set(struct value_sizes *layouts, uint64_t class_id, uint64_t super_id,
                     uint64_t own_bytes);

/* False while the class, or one above it, is not known. */
bool value_sizes_find(struct value_sizes *layouts, uint64_t class_id, uint64_t *bytes);

#endif
