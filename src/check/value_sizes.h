/*
 * value_sizes.h: the size of the values of an instance, from the CLASS DUMPs of its class and
 * superclasses. One thread; no lock.
 */
#ifndef HPROF_CHECK_VALUE_SIZES_H
#define HPROF_CHECK_VALUE_SIZES_H

#include "base/address_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_size {
	uint64_t super_id; /* 0: none */
	uint64_t own;      /* bytes of its own fields */
	uint64_t all;      /* with those of its superclasses, once computed */
	bool all_known;
	uint64_t failed_at; /* number of CLASS DUMPs when a superclass was unknown; 0: never */
};

struct value_sizes {
	struct address_map places; /* id of the class object to index in layouts */
	struct value_size *layouts;
	size_t count;
	size_t capacity;
	uint64_t dumps; /* CLASS DUMPs noted */
};

void value_sizes_init(struct value_sizes *layouts);
void value_sizes_free(struct value_sizes *layouts);

/* Notes a CLASS DUMP; a later one of the same class replaces it. False when out of memory. */
bool value_sizes_set(struct value_sizes *layouts, uint64_t class_id, uint64_t super_id,
                     uint64_t own_bytes);

/* The bytes of an instance. False while the class or a superclass is unknown. */
bool value_sizes_find(struct value_sizes *layouts, uint64_t class_id, uint64_t *bytes);

#endif
