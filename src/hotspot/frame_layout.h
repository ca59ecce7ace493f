/*
 * frame_layout.h: what HotSpot's frames look like on a CPU, as far as its tables for
 * debuggers do not state it. The rest is the same on all CPUs known here: a frame ends in
 * the caller's frame pointer and the return address; an interpreted one has the caller's
 * stack pointer and its method in the same slots.
 */
#ifndef HPROF_HOTSPOT_FRAME_LAYOUT_H
#define HPROF_HOTSPOT_FRAME_LAYOUT_H

#include "os/os_machine.h"

#include <stdbool.h>
#include <stdint.h>

struct frame_layout {
	int32_t bytecode_slot; /* of an interpreted frame, in words from its frame pointer */
	int32_t wrapper_slot;  /* of the frame where the VM called Java; 0: the VM states it */
	/* Bits of a return address; the others may have a signature. */
	uintptr_t address_bits;
	/* An interpreted frame reserves all of its expression stack, and the frame of a
	 * method that it calls begins in what is unused of that: the caller's stack pointer
	 * is below the frame. */
	bool overlaps_caller;
	uint8_t pushed_by_call; /* bytes: the return address, or 0 where it is in a register */
};

/* NULL when the frames on that CPU are unknown. */
const struct frame_layout *frame_layout_of(enum os_cpu cpu);

#endif
