/*
 * machine_pass.h: what an x86-64 instruction does to registers and the stack (machine_state.h).
 * Reads the stack: for use within os_call_guarded(). Signal-safe.
 */
#ifndef HPROF_HOTSPOT_X86_64_MACHINE_PASS_H
#define HPROF_HOTSPOT_X86_64_MACHINE_PASS_H

#include "hotspot/read_cpu/machine_state.h"
#include "hotspot/x86_64/machine_registers.h"
#include "hotspot/x86_64/x86_instruction.h"

/* Whether the register of that number is known. */
static inline bool machine_state_knows(const struct machine_state *state, unsigned number)
{
	return (state->known >> number & 1) != 0;
}

/* Passes an instruction that does not jump. False when the stack pointer is not known any more, or
 * there is no room for what is stored. */
bool machine_pass(struct machine_state *state, struct machine_stack *stack,
                  const struct x86_instruction *instruction);

#endif
