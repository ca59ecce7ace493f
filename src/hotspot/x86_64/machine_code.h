/*
 * machine_code.h (x86-64): what code of Java methods, and functions of the VM, is about to do with
 * its frame, from its next instructions. Reads the code: for use within
 * os_call_guarded(). Signal-safe.
 */
#ifndef HPROF_HOTSPOT_X86_64_MACHINE_CODE_H
#define HPROF_HOTSPOT_X86_64_MACHINE_CODE_H

#include "hotspot/machine_code.h"

enum code_frame {
	CODE_FRAME_WHOLE,    /* as large as it will be, the caller's frame pointer in it */
	CODE_FRAME_UNSAVED,  /* … but the caller's frame pointer still in the register */
	CODE_FRAME_NONE_YET, /* the return address is on top of the stack */
	CODE_FRAME_BEGUN,    /* on top the caller's frame pointer, then the return address */
	CODE_FRAME_ENDING,   /* the same, at the end of the method */
	CODE_FRAME_GONE      /* as NONE_YET, at the end */
};

/* The frame of a compiled method that goes on at pc. */
enum code_frame machine_code_frame(uintptr_t pc);

/* The same for functions of the VM, which have frame pointers: WHOLE means that it is
 * set up. */
enum code_frame machine_code_linked_frame(uintptr_t pc);

#endif
