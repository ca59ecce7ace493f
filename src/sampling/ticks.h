/*
 * ticks.h: the times at which a thread of the agent looks at other threads: once per interval, at
 * a phase that varies from tick to tick. Otherwise a program that repeats the same work in every
 * interval would always be seen at the same point. For one thread; no lock.
 */
#ifndef HPROF_SAMPLING_TICKS_H
#define HPROF_SAMPLING_TICKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ticks {
	uint64_t start_ns;
	uint64_t interval_ns;
	uint64_t number; /* of the last tick */
	const _Atomic bool *stopped;
};

/* Ticks begin one interval from now, and end when *stopped is set. */
void ticks_start(struct ticks *ticks, uint64_t interval_ns, const _Atomic bool *stopped);

/* Waits for the next tick, not before earliest_ns of os_monotonic_ns(); ticks that have passed are
 * left out. False when there are no more; a stop is noticed within 50 ms. */
bool ticks_wait(struct ticks *ticks, uint64_t earliest_ns);

#endif
