/*
 * code_cache.c: see code_cache.h. Nothing is changed after the start. Memory of the
 * code cache stays mapped, and a block with a frame on the stack keeps its place.
 */
#include "hotspot/code_cache.h"

#include "hotspot/any_memory.h"
#include "hotspot/vm_memory.h"

#include <stddef.h>
#include <string.h>

enum {
	HEAPS_MAX = 8,
	SEGMENT_FREE = 0xff,
	/* To the first segment of a block: a step is at most 254, or one block that was joined. */
	HOPS_MAX = 1 << 14,
	PCS_MAX = 1 << 24,
	FRAMES_MAX = 1000 /* far more than compilers inline */
};

/* Members of the VM's PcDesc, which is the same in all versions. */
struct pc_description {
	int32_t pc_offset;
	int32_t scope;
	int32_t objects;
	int32_t flags;
};

static const char *pointer_at(const char *place)
{
	return (const char *)any_word_at((uintptr_t)place);
}

static int32_t int_at(const char *place)
{
	return any_int_at((uintptr_t)place);
}

static uint8_t byte_at(const char *place)
{
	return any_byte_at((uintptr_t)place);
}

static bool is_text(const char *place, const char *text)
{
	size_t i = 0;

	while (text[i] != '\0' && byte_at(place + i) == (uint8_t)text[i])
		i++;
	return byte_at(place + i) == (uint8_t)text[i];
}

/* Where a compiled method keeps its PcDescs has changed: in a part of the blob, later
 * in memory of their own. */
static bool find_pcs(struct code_cache *cache, const struct vm_structs *structs)
{
	if (!vm_structs_offset(structs, "nmethod", "_scopes_pcs_offset", &cache->at.pcs))
		return false;
	if (vm_structs_offset(structs, "nmethod", "_immutable_data", &cache->at.pcs_base)) {
		bool found = vm_structs_offset(structs, "nmethod", "_scopes_data_offset",
		                               &cache->at.pcs_end);
		cache->at.scopes = cache->at.pcs_end;
		return found;
	}
	cache->at.pcs_base = 0;
	return vm_structs_offset(structs, "CompiledMethod", "_scopes_data_begin",
	                         &cache->at.scopes) &&
	       vm_structs_offset(structs, "nmethod", "_dependencies_offset", &cache->at.pcs_end);
}

static bool find_code(struct code_cache *cache, const struct vm_structs *structs)
{
	cache->code_is_offset =
	        vm_structs_offset(structs, "CodeBlob", "_code_offset", &cache->at.blob_code);
	return cache->code_is_offset ||
	       vm_structs_offset(structs, "CodeBlob", "_code_begin", &cache->at.blob_code);
}

static bool find_members(struct code_cache *cache, const struct vm_structs *structs)
{
	const struct {
		const char *type;
		const char *field;
		uint64_t *offset;
	} members[] = {
	        {"GrowableArray<int>", "_data", &cache->at.heaps_data},
	        {"CodeHeap", "_memory", &cache->at.heap_memory},
	        {"CodeHeap", "_segmap", &cache->at.heap_segment_map},
	        {"CodeHeap", "_log2_segment_size", &cache->at.heap_segment_log2},
	        {"VirtualSpace", "_low", &cache->at.space_low},
	        {"VirtualSpace", "_high", &cache->at.space_high},
	        {"HeapBlock::Header", "_used", &cache->at.block_used},
	        {"CodeBlob", "_name", &cache->at.blob_name},
	        {"CodeBlob", "_size", &cache->at.blob_size},
	        {"CodeBlob", "_frame_size", &cache->at.blob_frame_size},
	        {"nmethod", "_compile_id", &cache->at.compile_id},
	        {"StubQueue", "_stub_buffer", &cache->at.queue_buffer},
	        {"StubQueue", "_buffer_limit", &cache->at.queue_limit},
	};
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (!vm_structs_offset(structs, members[i].type, members[i].field,
		                       members[i].offset))
			return false;
	}
	return vm_structs_size(structs, "HeapBlock", &cache->at.block_bytes);
}

/* Since JDK 20, no byte of a compressed number is 0. */
static bool find_number_format(struct code_cache *cache, const struct vm_structs *structs)
{
	enum { JDK_OF_NONZERO_BYTES = 20 };
	const void *at;
	int32_t major;

	if (!vm_structs_static(structs, "Abstract_VM_Version", "_vm_major_version", &at) ||
	    !vm_memory_read(at, &major, sizeof(major)))
		return false;
	cache->scope_byte_base = major >= JDK_OF_NONZERO_BYTES;
	return true;
}

/* The VM keeps calls within reach of each other. */
bool code_cache_range(struct os_code_range *range, const struct vm_structs *structs)
{
	const uintptr_t reach = (uintptr_t)1 << 31;

	return vm_structs_word(structs, "CodeCache", "_low_bound", &range->low) &&
	       vm_structs_word(structs, "CodeCache", "_high_bound", &range->high) &&
	       range->low != 0 && range->low < range->high && range->high - range->low <= reach;
}

/* The interpreter keeps its place. */
static bool find_interpreter(struct code_cache *cache, const struct vm_structs *structs)
{
	const void *queue;
	uint32_t length;

	if (!vm_structs_pointer(structs, "AbstractInterpreter", "_code", &queue) ||
	    !vm_memory_read((const char *)queue + cache->at.queue_buffer, &cache->interpreter_begin,
	                    sizeof(cache->interpreter_begin)) ||
	    !vm_memory_read((const char *)queue + cache->at.queue_limit, &length, sizeof(length)) ||
	    length == 0 || length > INT32_MAX)
		return false;
	cache->interpreter_end = cache->interpreter_begin + length;
	return cache->interpreter_end > cache->interpreter_begin;
}

bool code_cache_find(struct code_cache *cache, const struct vm_structs *structs)
{
	const void *stub_return;

	if (!find_members(cache, structs) || !find_code(cache, structs) ||
	    !find_pcs(cache, structs) || !find_number_format(cache, structs) ||
	    !find_interpreter(cache, structs) ||
	    !vm_structs_pointer(structs, "StubRoutines", "_call_stub_return_address",
	                        &stub_return) ||
	    !vm_structs_pointer(structs, "CodeCache", "_heaps", &cache->heaps))
		return false;
	cache->call_stub_return = (uintptr_t)stub_return;
	return true;
}

/* The block of the heap that pc is in: the segment map leads back to its first
 * segment. */
static const char *block_in(const struct code_cache *cache, const char *heap, const char *low,
                            uintptr_t pc)
{
	const char *map = heap + cache->at.heap_segment_map;
	const char *hops = pointer_at(map + cache->at.space_low);
	int32_t log2 = int_at(heap + cache->at.heap_segment_log2);
	if (log2 < 3 || log2 > 20)
		return NULL;
	size_t segment = (pc - (uintptr_t)low) >> log2;
	uint8_t back = byte_at(hops + segment);
	if (back == SEGMENT_FREE)
		return NULL;
	for (int i = 0; back > 0; i++) {
		if (back > segment || i == HOPS_MAX)
			return NULL;
		segment -= back;
		back = byte_at(hops + segment);
	}
	const char *block = low + (segment << log2);
	return byte_at(block + cache->at.block_used) == 0 ? NULL : block;
}

static const char *blob_of(const struct code_cache *cache, uintptr_t pc)
{
	const char *array = cache->heaps;
	int32_t count = int_at(array);
	const char *heaps = pointer_at(array + cache->at.heaps_data);

	for (int32_t i = 0; i < count && i < HEAPS_MAX; i++) {
		const char *heap = pointer_at(heaps + (size_t)i * sizeof(void *));
		const char *memory = heap + cache->at.heap_memory;
		const char *low = pointer_at(memory + cache->at.space_low);
		uintptr_t high = (uintptr_t)pointer_at(memory + cache->at.space_high);
		if (pc < (uintptr_t)low || pc >= high)
			continue;
		const char *block = block_in(cache, heap, low, pc);
		if (block == NULL)
			return NULL;
		const char *blob = block + cache->at.block_bytes;
		int32_t size = int_at(blob + cache->at.blob_size);
		bool inside =
		        pc >= (uintptr_t)blob && size > 0 && pc - (uintptr_t)blob < (uintptr_t)size;
		return inside ? blob : NULL;
	}
	return NULL;
}

/* The address, from the begin of the code, that a description is of. */
static int64_t described(const char *description)
{
	return int_at(description + offsetof(struct pc_description, pc_offset));
}

/* The first of count descriptions that is of offset or a later one: they are sorted. */
static size_t first_from(const char *descriptions, size_t count, int64_t offset)
{
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (described(descriptions + middle * sizeof(struct pc_description)) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uintptr_t code_cache_begin(const struct code_cache *cache, const char *blob)
{
	return (uintptr_t)(cache->code_is_offset ? blob + int_at(blob + cache->at.blob_code)
	                                         : pointer_at(blob + cache->at.blob_code));
}

/* The offset of the scope of the innermost frame at that address, or at the next that is
 * described within reach of it; 0 when none is. All calls of a method are, but not where
 * frames return to that are to be interpreted from then on: that one address says nothing. */
static uint32_t scope_at(const struct code_cache *cache, const char *blob, uintptr_t pc,
                         uintptr_t reach)
{
	uintptr_t code = code_cache_begin(cache, blob);
	const char *base = cache->at.pcs_base == 0 ? blob : pointer_at(blob + cache->at.pcs_base);
	int32_t begin = int_at(blob + cache->at.pcs);
	int32_t end = int_at(blob + cache->at.pcs_end);
	if (begin < 0 || end < begin || end - begin > PCS_MAX || pc < code)
		return 0;

	int64_t offset = (int64_t)(pc - code);
	size_t count = (size_t)(end - begin) / sizeof(struct pc_description);
	for (size_t i = first_from(base + begin, count, offset); i < count; i++) {
		const char *description = base + begin + i * sizeof(struct pc_description);
		int32_t scope = int_at(description + offsetof(struct pc_description, scope));
		if ((uint64_t)(described(description) - offset) > reach)
			return 0;
		if (scope > 0)
			return (uint32_t)scope;
	}
	return 0;
}

static void begin_frames(const struct code_cache *cache, const char *blob, uintptr_t pc,
                         uintptr_t reach, struct code_frames *frames)
{
	/* An offset may be anything, too: numbers wrap around. */
	uintptr_t scopes = (uintptr_t)pointer_at(blob + cache->at.scopes);
	if (cache->at.pcs_base != 0)
		scopes = (uintptr_t)pointer_at(blob + cache->at.pcs_base) +
		         (uintptr_t)(intptr_t)int_at(blob + cache->at.scopes);
	frames->scopes = (const char *)scopes;
	frames->scope = scope_at(cache, blob, pc, reach);
	frames->byte_base = cache->scope_byte_base;
}

static bool begin_within(const struct code_cache *cache, uintptr_t pc, uintptr_t reach,
                         struct code_frames *frames)
{
	const char *blob = blob_of(cache, pc);
	if (blob == NULL)
		return false;
	begin_frames(cache, blob, pc, reach, frames);
	return frames->scope != 0;
}

bool code_frames_begin(const struct code_cache *cache, uintptr_t pc, struct code_frames *frames)
{
	return begin_within(cache, pc, 0, frames);
}

bool code_frames_begin_near(const struct code_cache *cache, uintptr_t pc,
                            struct code_frames *frames)
{
	return begin_within(cache, pc, UINTPTR_MAX, frames);
}

/* Reads a compressed number: up to five digits of base 64, the lowest first; digits that
 * are followed by another one are 192 or more, less the base. */
static bool read_number(struct code_frames *frames, const char **at, uint32_t *number)
{
	enum { DIGITS = 5, DIGIT_BITS = 6, MORE = 192 };
	uint32_t more = MORE - (uint32_t)frames->byte_base;

	*number = 0;
	for (unsigned i = 0; i < DIGITS; i++) {
		uint32_t digit = byte_at((*at)++);
		if (digit < frames->byte_base)
			return false;
		digit -= frames->byte_base;
		*number += digit << DIGIT_BITS * i;
		if (digit < more)
			break;
	}
	return true;
}

bool code_frames_next(struct code_frames *frames, int64_t *bci)
{
	uint32_t sender;
	uint32_t method;
	uint32_t index;

	if (frames->scope == 0)
		return false;
	const char *at = frames->scopes + frames->scope;
	if (!read_number(frames, &at, &sender) || !read_number(frames, &at, &method) ||
	    !read_number(frames, &at, &index))
		return false;
	/* Callers are described before what they call. */
	if (sender >= frames->scope)
		return false;
	frames->scope = sender;
	frames->method = method;
	*bci = (int64_t)index - 1;
	return true;
}

/* How many Java frames are at pc; 0 when they are not described. */
static uint16_t count_frames(const struct code_cache *cache, const char *blob, uintptr_t pc)
{
	struct code_frames frames;
	uint16_t count = 0;
	int64_t bci;

	begin_frames(cache, blob, pc, 0, &frames);
	while (count < FRAMES_MAX && code_frames_next(&frames, &bci))
		count++;
	return frames.scope == 0 ? count : 0;
}

/* Blobs that have frames of their own but whose callers can't be relied on. */
static bool is_plain_stub(const char *name)
{
	static const char *const others[] = {"DeoptimizationBlob", "SafepointBlob",
	                                     "UncommonTrapBlob", "ExceptionBlob"};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (is_text(name, others[i]))
			return false;
	}
	return true;
}

static void look_up(const struct code_cache *cache, uintptr_t pc, struct code_place *place)
{
	if (pc == cache->call_stub_return) {
		place->kind = CODE_ENTRY;
		return;
	}
	if (pc >= cache->interpreter_begin && pc < cache->interpreter_end) {
		place->kind = CODE_INTERPRETER;
		return;
	}
	const char *blob = blob_of(cache, pc);
	if (blob == NULL)
		return;
	const char *name = pointer_at(blob + cache->at.blob_name);
	int32_t words = int_at(blob + cache->at.blob_frame_size);
	if (name == NULL || words < 2 || words > 1 << 20)
		return;
	place->frame_bytes = (uint32_t)words * (uint32_t)sizeof(void *);
	place->blob = blob;
	place->blob_bytes = (uint32_t)int_at(blob + cache->at.blob_size);
	bool native = is_text(name, "native nmethod");
	if (native || is_text(name, "nmethod")) {
		/* A native method has one frame, wherever it is. */
		place->compile_id = (uint32_t)int_at(blob + cache->at.compile_id);
		place->java_frames = native ? 1 : count_frames(cache, blob, pc);
		if (place->java_frames > 0)
			place->kind = CODE_COMPILED;
	} else if (is_plain_stub(name)) {
		place->kind = CODE_STUB;
	}
}

struct look_up_call {
	const struct code_cache *cache;
	uintptr_t pc;
	struct code_place *place;
};

static void look_up_guarded(void *argument)
{
	const struct look_up_call *call = argument;
	look_up(call->cache, call->pc, call->place);
}

void code_cache_look_up(const struct code_cache *cache, uintptr_t pc, struct code_place *place)
{
	struct look_up_call call = {cache, pc, place};

	memset(place, 0, sizeof(*place));
	if (!os_call_guarded(look_up_guarded, &call))
		memset(place, 0, sizeof(*place));
}
