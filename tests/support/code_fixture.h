/*
 * code_fixture.h: the code cache of a made-up VM, with one compiled method that has one described
 * address, of two frames. For tests of src/hotspot; each test has its own copy.
 */
#ifndef HPROF_TESTS_CODE_FIXTURE_H
#define HPROF_TESTS_CODE_FIXTURE_H

#include "hotspot/code_cache.h"

#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOG2 = 6,
	SEGMENTS = 1 << 16,
	FIRST = 40000, /* segment of the block */
	HOP = 200,
	CODE = 256, /* offset of the code in the blob */
	CALL = 64,  /* offset of a described address in the code */
	BLOB_BYTES = 4096,
	FRAME_WORDS = 4,
	COMPILE_ID = 77,
	OUTER = 16, /* offsets of the two frames' descriptions */
	INNER = 24,
	OUTER_BCI = 12,
	INNER_BCI = 3,
	SCOPES_BYTES = 64
};

struct made_pc {
	int32_t offset;
	int32_t scope;
	int32_t objects;
	int32_t flags;
};

struct made_blob {
	uint64_t header[2]; /* of the block */
	const char *name;
	const unsigned char *scopes;
	int32_t size;
	int32_t frame_words;
	int32_t code;
	uint32_t compile_id;
	int32_t pcs_begin;
	int32_t pcs_end;
	struct made_pc pcs[3];
	void *method;
	int32_t original_pc;
	int32_t stubs;
	int32_t handler;
	int32_t handle_handler;
	int32_t metadata;
	void *methods[1]; /* by number, from 1 */
};

struct made_space {
	unsigned char *low;
	unsigned char *high;
};

struct made_heap {
	struct made_space memory;
	struct made_space segment_map;
	int32_t log2;
};

struct made_list {
	int32_t count;
	struct made_heap **heaps;
};

#define BLOB_AT(member) (offsetof(struct made_blob, member) - offsetof(struct made_blob, name))

static unsigned char *memory;
static unsigned char *map;
static unsigned char scopes[SCOPES_BYTES];
static struct made_heap heap;
static struct made_heap *heaps[1] = {&heap};
static struct made_list list;
static struct code_cache cache;
static struct made_blob *blob;

/* A frame's description: where its caller's is, its method and its bytecode. */
static void describe(int at, unsigned base, unsigned caller, int bci)
{
	scopes[at] = (unsigned char)(caller + base);
	scopes[at + 1] = (unsigned char)(1 + base);
	scopes[at + 2] = (unsigned char)((unsigned)bci + 1 + base);
}

static void describe_both(unsigned base)
{
	describe(OUTER, base, 0, OUTER_BCI);
	describe(INNER, base, OUTER, INNER_BCI);
}

/* Each segment leads back to the one that is so many before it, up to the block's first. */
static void lay_map(int segments)
{
	memset(map, 0xff, SEGMENTS);
	for (int i = 0; i < segments && FIRST + i < SEGMENTS; i++)
		map[FIRST + i] = (unsigned char)(i < HOP ? i : HOP);
}

static void code_setup(void)
{
	memory = aligned_alloc(64, (size_t)SEGMENTS << LOG2);
	map = malloc(SEGMENTS);
	ck_assert(memory != NULL && map != NULL);
	heap = (struct made_heap){
	        {memory, memory + ((size_t)SEGMENTS << LOG2)}, {map, map + SEGMENTS}, LOG2};
	list = (struct made_list){1, heaps};
	blob = (struct made_blob *)(void *)(memory + ((size_t)FIRST << LOG2));
	*blob = (struct made_blob){
	        .header = {0, 1},
	        .name = "nmethod",
	        .scopes = scopes,
	        .size = BLOB_BYTES,
	        .frame_words = FRAME_WORDS,
	        .code = CODE,
	        .compile_id = COMPILE_ID,
	        .pcs_begin = BLOB_AT(pcs),
	        .pcs_end = BLOB_AT(pcs) + sizeof(blob->pcs),
	        .stubs = BLOB_BYTES,
	        .metadata = BLOB_AT(methods),
	        .pcs = {{-1, 0, 0, 0}, {CALL, INNER, 0, 0}, {1 << 20, 0, 0, 0}},
	};
	lay_map((BLOB_BYTES >> LOG2) + 1);
	describe_both(0);
	cache = (struct code_cache){
	        .call_stub_return = 1,
	        .interpreter_begin = 2,
	        .interpreter_end = 3,
	        .heaps = &list,
	        .at =
	                {
	                        .heaps_data = offsetof(struct made_list, heaps),
	                        .heap_memory = offsetof(struct made_heap, memory),
	                        .heap_segment_map = offsetof(struct made_heap, segment_map),
	                        .heap_segment_log2 = offsetof(struct made_heap, log2),
	                        .space_low = offsetof(struct made_space, low),
	                        .space_high = offsetof(struct made_space, high),
	                        .block_bytes = offsetof(struct made_blob, name),
	                        .block_used = sizeof(uint64_t),
	                        .blob_name = BLOB_AT(name),
	                        .blob_size = BLOB_AT(size),
	                        .blob_frame_size = BLOB_AT(frame_words),
	                        .blob_code = BLOB_AT(code),
	                        .compile_id = BLOB_AT(compile_id),
	                        .pcs = BLOB_AT(pcs_begin),
	                        .pcs_end = BLOB_AT(pcs_end),
	                        .scopes = BLOB_AT(scopes),
	                },
	        .code_is_offset = true,
	};
}

static void code_teardown(void)
{
	free(memory);
	free(map);
}

static uintptr_t call_address(void)
{
	return (uintptr_t)&blob->name + CODE + CALL;
}

#endif
