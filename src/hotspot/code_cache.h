/*
 * code_cache.h: what HotSpot's machine code at an address is, and how large the
 * frame of a call under way in it is. Reads the VM's code cache as its tables for
 * debuggers describe it (vm_structs.h). Code that has a frame on the calling thread's
 * stack stays where it is; what is found for other addresses may be wrong.
 *
 * No search goes on without end, whatever it reads: the offset of a frame's caller is less than
 * that of the frame, and a block has a limited number of steps to its first segment.
 */
#ifndef HPROF_HOTSPOT_CODE_CACHE_H
#define HPROF_HOTSPOT_CODE_CACHE_H

#include "hotspot/vm_structs.h"
#include "os/os_machine.h"

enum code_kind {
	CODE_UNKNOWN,     /* nothing is known of the frame */
	CODE_COMPILED,    /* a method: the address determines its Java frames, one or more */
	CODE_STUB,        /* code of the VM without a Java frame */
	CODE_INTERPRETER, /* one Java frame */
	CODE_ENTRY        /* where the VM called Java */
};

/* Code at an address. Compiled code may give way to other code: see
 * code_cache_holds(). */
struct code_place {
	const char *blob; /* COMPILED: where it is, its number, and its size */
	uint32_t compile_id;
	uint32_t blob_bytes;
	uint32_t frame_bytes; /* COMPILED, STUB: with the return address */
	uint16_t java_frames;
	uint8_t kind; /* enum code_kind */
};

struct code_cache {
	uintptr_t call_stub_return;
	uintptr_t interpreter_begin;
	uintptr_t interpreter_end;
	const void *heaps;
	struct {
		uint64_t heaps_data;
		uint64_t heap_memory;
		uint64_t heap_segment_map;
		uint64_t heap_segment_log2;
		uint64_t space_low;
		uint64_t space_high;
		uint64_t block_bytes;
		uint64_t block_used;
		uint64_t blob_name;
		uint64_t blob_size;
		uint64_t blob_frame_size;
		uint64_t blob_code; /* an address, or an offset when code_is_offset */
		uint64_t compile_id;
		uint64_t pcs; /* offsets of two offsets, between which PcDescs are */
		uint64_t pcs_end;
		uint64_t pcs_base; /* of the address that these count from; 0: the blob */
		uint64_t scopes;   /* of the scopes' address, or of their offset from pcs_base */
		uint64_t queue_buffer;
		uint64_t queue_limit;
	} at;
	bool code_is_offset;
	/* Bytes of the compressed numbers in scopes that are left out: since JDK 20, 0. */
	uint8_t scope_byte_base;
};

/* The Java frames of compiled code at an address, innermost first. */
struct code_frames {
	const char *scopes;
	uint32_t scope;  /* where the next one is described; 0 when there is none */
	uint32_t method; /* the number of the last one's method (code_methods.h) */
	uint8_t byte_base;
};

/* Where all code of Java methods, the interpreter and stubs is; false if the VM does not export
 * it. */
bool code_cache_range(struct os_code_range *range, const struct vm_structs *structs);

/* Finds the offsets; false in a VM that does not export them. Live phase. */
bool code_cache_find(struct code_cache *cache, const struct vm_structs *structs);

/* What is at pc, a return address on the calling thread's stack. Signal-safe for any pc. */
void code_cache_look_up(const struct code_cache *cache, uintptr_t pc, struct code_place *place);

/* Where the code of the blob begins. This and the three below are for use within
 * os_call_guarded(). */
uintptr_t code_cache_begin(const struct code_cache *cache, const char *blob);

/* Begins to list the Java frames at pc; false when they are not described. */
bool code_frames_begin(const struct code_cache *cache, uintptr_t pc, struct code_frames *frames);

/* The same for an address that need not be described: the frames of the next one that
 * is, for code that was interrupted anywhere. */
bool code_frames_begin_near(const struct code_cache *cache, uintptr_t pc,
                            struct code_frames *frames);

/* Returns the next frame's bytecode index, or a negative number where it has none. False
 * when there is none, or it can't be read: then frames->scope is not 0. */
bool code_frames_next(struct code_frames *frames, int64_t *bci);

/* Whether compiled code, once looked up, is still what is there: the VM numbers
 * compilations and uses no number twice. Takes what struct code_place had of it. */
static inline bool code_cache_holds(const struct code_cache *cache, const char *blob,
                                    uint32_t compile_id, uint32_t blob_bytes)
{
	return *(const uint32_t *)(const void *)(blob + cache->at.compile_id) == compile_id &&
	       *(const uint32_t *)(const void *)(blob + cache->at.blob_size) == blob_bytes;
}

#endif
