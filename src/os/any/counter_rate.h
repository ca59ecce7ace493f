/*
 * counter_rate.h: the rate of a CPU's time-stamp counter.
 */
#ifndef HPROF_OS_ANY_COUNTER_RATE_H
#define HPROF_OS_ANY_COUNTER_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether CPUID reports a TSC with a constant rate in every power state; false on CPUs
 * without CPUID. Any thread. */
bool tsc_keeps_rate(void);

/* Counts per second, measured against os_monotonic_ns() over 20 ms, during which the caller
 * sleeps. read is called on the calling thread. */
uint64_t counter_rate_measure(uint64_t (*read)(void));

#endif
