/*
 * code_fixture.h: the code cache of a made-up VM, with one compiled method that has one described
 * address, of two frames. For tests of src/hotspot.
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

extern unsigned char *memory;
extern unsigned char *map;
extern unsigned char scopes[SCOPES_BYTES];
extern struct made_heap heap;
extern struct made_heap *heaps[1];
extern struct made_list list;
extern struct code_cache cache;
extern struct made_blob *blob;

/* A frame's description: where its caller's is, its method and its bytecode. */
void describe(int at, unsigned base, unsigned caller, int bci);
void describe_both(unsigned base);

void code_setup(void);
void code_teardown(void);
uintptr_t call_address(void);

#endif
