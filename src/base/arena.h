/*
 * arena.h: memory that is allocated in small adjacent pieces and freed all at once. No lock
 * of its own; the owner's lock guards it.
 */
#ifndef HPROF_BASE_ARENA_H
#define HPROF_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* the one in use first */
	size_t used;                /* bytes used in the first block */
};

/* Zeroed memory, aligned for pointers; NULL without memory. */
void *arena_allocate(struct arena *arena, size_t bytes);

/* Frees all memory; the arena is then empty. */
void arena_free(struct arena *arena);

/* Frees the memory but keeps its addresses mapped: all pieces read as 0 from now on, for
 * threads that may still read them. */
void arena_discard(struct arena *arena);

#endif
