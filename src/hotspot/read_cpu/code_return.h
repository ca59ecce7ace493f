/*
 * code_return.h: where code that has no frame known to the VM returns to: its instructions
 * are followed, along one way through them, up to one that returns. All ways through a function
 * leave the stack alike, so any will do. For the VM's stubs, and for methods in the middle of code
 * that pushes words on their frames.
 *
 * Reads the code and the stack: for use within os_call_guarded(). Signal-safe; the number of
 * instructions is limited.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_CODE_RETURN_H
#define HPROF_HOTSPOT_READ_CPU_CODE_RETURN_H

#include "hotspot/read_cpu/machine_state.h"

struct code_return {
	struct os_code_range code;  /* that may be followed */
	struct os_code_range calls; /* calls of other addresses are of C functions */
	uintptr_t stack_low;        /* the stack pointer where the thread was interrupted */
	uintptr_t stack_base;
	uint32_t steps; /* instructions left, for all searches together */
};

/* Follows the code from state->pc. True when it returns: state is then what the caller goes on
 * with, from the return address, which is state->pc. */
bool code_return_find(struct code_return *search, struct machine_state *state);

#endif
