/*
 * machine_code.h: what is asked of machine code of Java methods on each CPU. The directory of the
 * CPU answers (x86_64/, aarch64/); other_cpu/ answers "not known": then there is no own walk of
 * interrupted threads, and AsyncGetCallTrace alone is asked.
 *
 * Reads the code: for use within os_call_guarded(). Signal-safe.
 */
#ifndef HPROF_HOTSPOT_MACHINE_CODE_H
#define HPROF_HOTSPOT_MACHINE_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the CPU's code is known; if not, the answers below are false and 0. Reads nothing. */
bool machine_code_is_known(void);

/* The bytes of the frame of the compiled method whose code begins there and is that long, return
 * address included, from the instructions that make the frame; 0 if there are none near its begin,
 * as in a method that is entered in a loop. */
uint32_t machine_code_frame_bytes(uintptr_t begin, uint32_t length);

/* Whether a call instruction ends at pc. */
bool machine_code_follows_call(uintptr_t pc);

#endif
