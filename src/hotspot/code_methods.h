/*
 * code_methods.h: whose code a block of HotSpot's code cache is: the methods that a
 * compiled method is of and those inlined in it. What code_cache.h finds is asked
 * about. Signal-safe; reads the block: for use within os_call_guarded().
 */
#ifndef HPROF_HOTSPOT_CODE_METHODS_H
#define HPROF_HOTSPOT_CODE_METHODS_H

#include "hotspot/code_cache.h"

/* Offsets; constant after the start. */
struct code_methods {
	uint64_t name;
	uint64_t method;
	uint64_t original_pc;
	uint64_t stubs;
	bool handler_is_offset;
	uint64_t handler;
	uint64_t handle_handler; /* of methods that call method handles */
	/* Metadata begin at an int offset from the block, or after the relocations in
	 * memory of their own. */
	bool metadata_beside;
	uint64_t metadata;
	uint64_t relocation_bytes;
};

enum code_owner {
	CODE_OF_VM,    /* no method's */
	CODE_OF_JAVA,  /* a compiled method's */
	CODE_OF_NATIVE /* what calls a native method */
};

/* Finds the offsets; false where they are not known. */
bool code_methods_find(struct code_methods *methods, const struct vm_structs *structs);

enum code_owner code_methods_owner(const struct code_methods *methods, const char *blob);

/* The VM's Method that was compiled. */
uintptr_t code_methods_root(const struct code_methods *methods, const char *blob);

/* The VM's Method with that number in the description of frames; 0 for none. */
uintptr_t code_methods_numbered(const struct code_methods *methods, const char *blob,
                                uint32_t number);

/* Whether pc, in a method's block, is after its code, in what belongs to its calls. */
bool code_methods_is_stub(const struct code_methods *methods, const char *blob, uintptr_t pc);

/* Where the frame at sp that returns to pc goes on: pc, except where its code was given up
 * since and pc leads to what makes interpreted frames of it. */
uintptr_t code_methods_pc(const struct code_methods *methods, const char *blob, uintptr_t pc,
                          uintptr_t sp);

#endif
