/*
 * arena.c: see arena.h. Blocks are of one size; a larger piece has one of its own.
 */
#include "profile/arena.h"

#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 256 * 1024, ALIGNMENT = 16 };

struct arena_block {
	struct arena_block *next;
	_Alignas(ALIGNMENT) unsigned char bytes[];
};

static struct arena_block *new_block(size_t bytes)
{
	if (bytes > SIZE_MAX - sizeof(struct arena_block))
		return NULL;
	return calloc(1, sizeof(struct arena_block) + bytes);
}

/* A block of its own, behind the one in use. */
static void *take_large(struct arena *arena, size_t bytes)
{
	struct arena_block *block = new_block(bytes);
	if (block == NULL)
		return NULL;
	if (arena->blocks == NULL) {
		arena->blocks = block;
		arena->used = BLOCK_BYTES;
	} else {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	}
	return block->bytes;
}

void *arena_take(struct arena *arena, size_t bytes)
{
	if (bytes > BLOCK_BYTES / 4)
		return take_large(arena, bytes);
	bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (arena->blocks == NULL || BLOCK_BYTES - arena->used < bytes) {
		struct arena_block *block = new_block(BLOCK_BYTES);
		if (block == NULL)
			return NULL;
		block->next = arena->blocks;
		arena->blocks = block;
		arena->used = 0;
	}
	void *taken = arena->blocks->bytes + arena->used;
	arena->used += bytes;
	return taken;
}

void arena_free(struct arena *arena)
{
	struct arena_block *block = arena->blocks;
	while (block != NULL) {
		struct arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->blocks = NULL;
	arena->used = 0;
}
