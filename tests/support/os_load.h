/*
 * os_load.h: load of known size for the tests of the platform layer.
 */
#ifndef HPROF_OS_LOAD_H
#define HPROF_OS_LOAD_H

#include "os.h"
#include "time_units.h"

/* Uses ns of the calling thread's CPU time, by the kernel's own clock, nearly
 * all of it in user mode. */
static inline void burn_cpu(uint64_t ns)
{
	uint64_t end = os_self_cpu_ns() + ns;
	volatile unsigned sink = 0;
	while (os_self_cpu_ns() < end)
		for (unsigned i = 0; i < 20000; i++)
			sink = sink + i;
}

static inline void sleep_ms(uint32_t ms)
{
	os_sleep_until(os_monotonic_ns() + ms * NS_PER_MS);
}

#endif
