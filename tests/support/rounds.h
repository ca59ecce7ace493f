/*
 * rounds.h: two threads that do something at almost the same time, again and again.
 */
#ifndef HPROF_TESTS_ROUNDS_H
#define HPROF_TESTS_ROUNDS_H

#include "os/time_units.h"

#include <stdatomic.h>
#include <stdint.h>

/* How long a test has rounds, and what the other thread is given as the last: it ends. */
#define ROUNDS_NS (200 * NS_PER_MS)
#define ROUNDS_LAST UINT32_MAX

enum { ROUNDS_STEPS = 128 };

/* Waits until another round than that has begun, and returns it. */
static inline uint32_t rounds_next(const _Atomic uint32_t *begun, uint32_t round)
{
	uint32_t next;
	do {
		next = atomic_load(begun);
	} while (next == round);
	return next;
}

/* Some nanoseconds a step. With round % ROUNDS_STEPS the two meet at all distances. */
static inline void rounds_wait(uint32_t steps)
{
	for (volatile uint32_t i = 0; i < steps;)
		i = i + 1;
}

#endif
