/*
 * counter_rate.h: how fast a processor's counter counts.
 */
#ifndef HPROF_OS_ANY_COUNTER_RATE_H
#define HPROF_OS_ANY_COUNTER_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* CPUID's word on a TSC that keeps its rate in every power state; false on processors
 * that have none. Any thread. */
bool tsc_keeps_rate(void);

/* Counts of a second, held against os_monotonic_ns() over 20 ms, for which the caller
 * sleeps. read is called on the calling thread. */
uint64_t counter_rate_measure(uint64_t (*read)(void));

#endif
