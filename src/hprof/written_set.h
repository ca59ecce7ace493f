/*
 * written_set.h: which of the strings, classes, frames and traces are in the
 * output already: a bit for each dense id. Used by the record writer and the binary
 * format, under the writer's record lock.
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
	WRITTEN_NEVER,    /* not before this call; it counts as written now */
	WRITTEN_BEFORE,   /* by an earlier call */
	WRITTEN_NO_MEMORY /* can't tell: no memory to remember it */
};

/* An empty set; allocates nothing. */
void written_set_init(struct written_set *set);
void written_set_free(struct written_set *set);

/* Adds an id, and says whether it was in the set. */
enum written written_set_add(struct written_set *set, uint32_t id);

/* Whether an id is in the set. */
bool written_set_has(const struct written_set *set, uint32_t id);

#endif
