/* code_fixture.c: see code_fixture.h. */
#include "code_fixture.h"

#include "os.h"

unsigned char *memory;
unsigned char *map;
unsigned char scopes[SCOPES_BYTES];
struct made_heap heap;
struct made_heap *heaps[1] = {&heap};
struct made_list list;
struct code_cache cache;
struct made_blob *blob;

void describe(int at, unsigned base, unsigned caller, int bci)
{
	scopes[at] = (unsigned char)(caller + base);
	scopes[at + 1] = (unsigned char)(1 + base);
	scopes[at + 2] = (unsigned char)((unsigned)bci + 1 + base);
}

void describe_both(unsigned base)
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

void code_setup(void)
{
	memory = os_pages_alloc((size_t)SEGMENTS << LOG2);
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

void code_teardown(void)
{
	os_pages_free(memory, (size_t)SEGMENTS << LOG2);
	free(map);
}

uintptr_t call_address(void)
{
	return (uintptr_t)&blob->name + CODE + CALL;
}
