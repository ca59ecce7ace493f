/*
 * cpu_timer_cost.h: measures what an expiration of a timer takes from its thread.
 * Private to the platform layer.
 */
#ifndef HPROF_OS_CPU_TIMER_COST_H
#define HPROF_OS_CPU_TIMER_COST_H

#include <stdint.h>

/* The time that one expiration takes, from the interrupt to the return from the handler; 0 if
 * too few occurred. Call it on a thread whose timer runs with a handler that increments
 * *expirations. Uses the CPU for five of its periods. */
uint64_t cpu_timer_cost_measure(const volatile unsigned *expirations);

/* The same from the first expiration alone, which can be too much by far: enough to choose the
 * period with which to measure. */
uint64_t cpu_timer_cost_estimate(const volatile unsigned *expirations);

#endif
