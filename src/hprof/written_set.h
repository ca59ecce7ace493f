/*
 * written_set.h: a set of the strings, classes, frames or traces that have been written,
 * as one bit for each dense id. Used by the record writer and the binary format, under the
 * writer's record lock.
 */
#ifndef HPROF_HPROF_WRITTEN_SET_H
#define HPROF_HPROF_WRITTEN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct written_set {
	uint64_t *words;
	size_t word_count;
};

enum written {
	WRITTEN_NEVER,    /* the id is new; it is in the set now */
	WRITTEN_BEFORE,   /* an earlier call added the id */
	WRITTEN_NO_MEMORY /* no memory to add the id */
};

/* Initializes an empty set; allocates nothing. */
void written_set_init(struct written_set *set);
void written_set_free(struct written_set *set);

/* Adds an id. Returns whether the set contained it before. */
enum written written_set_add(struct written_set *set, uint32_t id);

/* Whether the set contains an id. */
bool written_set_has(const struct written_set *set, uint32_t id);

#endif
