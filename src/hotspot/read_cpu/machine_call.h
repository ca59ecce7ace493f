/*
 * machine_call.h: what is called by an instruction. The directory of the CPU knows the
 * instructions. Reads the code: for use within os_call_guarded(). Signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_MACHINE_CALL_H
#define HPROF_HOTSPOT_READ_CPU_MACHINE_CALL_H

#include <stdbool.h>
#include <stdint.h>

/* The address that is called by the instruction that ends at pc, in it or loaded right before, or
 * in code to which it leads; false if it is not stated there. */
bool machine_code_call_target(uintptr_t pc, uintptr_t *target);

#endif
