/*
 * machine_code.h (64-bit ARM): where the frame of a method is, by what its code, compiled or
 * interpreted, is about to do with it. Reads the code: for use within os_call_guarded().
 * Signal-safe.
 */
#ifndef HPROF_HOTSPOT_AARCH64_MACHINE_CODE_H
#define HPROF_HOTSPOT_AARCH64_MACHINE_CODE_H

#include "hotspot/machine_code.h"

/* Where the return address is. */
enum code_frame {
	CODE_FRAME_WHOLE, /* in the frame, which is as large as it will be */
	CODE_FRAME_NONE,  /* in its register; the stack is the caller's */
	CODE_FRAME_TAKEN, /* in its register; the stack pointer is that of the whole frame */
	CODE_FRAME_ON_TOP /* on top of the stack, after the caller's frame pointer */
};

/* The frame of a compiled method whose code begins there, and that goes on at pc; and whether the
 * method is being entered, or left. */
enum code_frame machine_code_frame(uintptr_t begin, uintptr_t pc, bool *entered);

/* The frame of an interpreted method. */
enum interpreted_frame {
	INTERPRETED_WHOLE,
	INTERPRETED_NONE_YET, /* the return address is in its register */
	INTERPRETED_BEGUN,  /* it and the caller's frame pointer are saved, but no stack pointer */
	INTERPRETED_LEAVING /* the frame is gone, or will be in a few instructions */
};

enum interpreted_frame machine_code_interpreted_frame(uintptr_t pc);

#endif
