/*
 * frame_layout.c: see frame_layout.h. After frame_x86.hpp and frame_aarch64.hpp of
 * HotSpot 11 to 25.
 */
#include "hotspot/frame_layout.h"

#include <stddef.h>

static const struct frame_layout x86_64 = {
        .bytecode_slot = -8,
        .wrapper_slot = 0,
        .address_bits = UINTPTR_MAX,
        .overlaps_caller = false,
        .pushed_by_call = sizeof(uintptr_t),
};

/* Programs have addresses of 48 bits, unless they ask for more. */
static const struct frame_layout aarch64 = {
        .bytecode_slot = -9,
        .wrapper_slot = -8,
        .address_bits = UINTPTR_MAX >> 16,
        .overlaps_caller = true,
        .pushed_by_call = 0,
};

const struct frame_layout *frame_layout_of(enum os_cpu cpu)
{
	switch (cpu) {
	case OS_CPU_X86_64:
		return &x86_64;
	case OS_CPU_AARCH64:
		return &aarch64;
	default:
		return NULL;
	}
}
