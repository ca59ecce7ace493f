/*
 * machine_stack.h: the words of a stack while code is followed (machine_state.h): what was there,
 * and what the code would have stored. Reads the stack: for use within os_call_guarded().
 * Signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_MACHINE_STACK_H
#define HPROF_HOTSPOT_READ_CPU_MACHINE_STACK_H

#include "hotspot/read_cpu/machine_state.h"

/* The word on the stack at that address; false when it is not known. */
bool machine_stack_load(const struct machine_state *state, const struct machine_stack *stack,
                        uintptr_t address, uintptr_t *word);

/* Stores a word, or one that is not known, at that address; false when there is no room. */
bool machine_stack_store(struct machine_state *state, struct machine_stack *stack,
                         uintptr_t address, bool known, uintptr_t word);

#endif
