/*
 * machine_pass.h: what a 64-bit ARM instruction that does not jump does to registers and the stack
 * (machine_state.h). Reads the stack, and constants beside code: for use within os_call_guarded().
 * Signal-safe.
 */
#ifndef HPROF_HOTSPOT_AARCH64_MACHINE_PASS_H
#define HPROF_HOTSPOT_AARCH64_MACHINE_PASS_H

#include "hotspot/aarch64/machine_registers.h"
#include "hotspot/read_cpu/machine_state.h"

/* Whether the register of that number is known. */
static inline bool machine_state_knows(const struct machine_state *state, unsigned number)
{
	return (state->known >> number & 1) != 0;
}

/* Passes the instruction at state->pc. False when the stack pointer is not known any more, or there
 * is no room for what is stored. */
bool machine_pass(struct machine_state *state, struct machine_stack *stack, uint32_t instruction);

#endif
