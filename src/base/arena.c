/*
 * arena.c: see arena.h. Blocks have one size; a large piece has a block to itself. Blocks
 * are pages of the operating system, so that their memory can be released while their addresses
 * stay valid.
 */
#include "base/arena.h"

#include "os/os.h"

#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 256 * 1024, ALIGNMENT = 16 };

struct arena_block {
	struct arena_block *next;
	unsigned char *bytes;
	size_t size;
};

static struct arena_block *new_block(size_t bytes)
{
	struct arena_block *block = calloc(1, sizeof(*block));
	if (block == NULL)
		return NULL;
	block->bytes = os_pages_alloc(bytes);
	if (block->bytes == NULL) {
		free(block);
		return NULL;
	}
	block->size = bytes;
	return block;
}

/* Allocates a block for one piece and links it after the block in use. */
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

void *arena_allocate(struct arena *arena, size_t bytes)
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

static void free_blocks(struct arena *arena, void (*release)(void *pages, size_t size))
{
	struct arena_block *block = arena->blocks;
	while (block != NULL) {
		struct arena_block *next = block->next;
		release(block->bytes, block->size);
		free(block);
		block = next;
	}
	arena->blocks = NULL;
	arena->used = 0;
}

void arena_free(struct arena *arena)
{
	free_blocks(arena, os_pages_free);
}

void arena_discard(struct arena *arena)
{
	free_blocks(arena, os_pages_discard);
}
