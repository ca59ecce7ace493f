/*
 * arena.h: memory that is taken in small pieces, side by side, and given back
 * all at once. Not locked: the owner's lock covers it.
 */
#ifndef HPROF_BASE_ARENA_H
#define HPROF_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* the one in use first */
	size_t used;                /* bytes of it */
};

/* Zeroed memory, aligned for pointers; NULL without memory. */
void *arena_allocate(struct arena *arena, size_t bytes);

/* Gives everything back. */
void arena_free(struct arena *arena);

/* Gives the memory back, but not its addresses: what was taken reads as 0 from now
 * on, for those who may still look at it. */
void arena_discard(struct arena *arena);

#endif
