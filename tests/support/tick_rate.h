/*
 * tick_rate.h: whether os_ticks() advances at the rate that it states. The readings of the clock
 * around those of the ticks tell how far apart they were, on a busy machine too.
 */
#ifndef HPROF_TESTS_TICK_RATE_H
#define HPROF_TESTS_TICK_RATE_H

#include "judged_times.h"
#include "os.h"

struct tick_reading {
	uint64_t before_ns;
	uint64_t ticks;
	uint64_t after_ns;
};

static inline struct tick_reading read_ticks(void)
{
	struct tick_reading reading;
	reading.before_ns = os_monotonic_ns();
	reading.ticks = os_ticks();
	reading.after_ns = os_monotonic_ns();
	return reading;
}

/* The rate may be measured, and the system may correct its clock meanwhile. */
static inline void check_tick_rate(const struct tick_reading *first,
                                   const struct tick_reading *last)
{
	const double slack = 0.0005;
	double by_ticks = (double)(last->ticks - first->ticks) / (double)os_ticks_per_second();
	double least = (double)(last->before_ns - first->after_ns) / 1e9;
	double most = (double)(last->after_ns - first->before_ns) / 1e9;
	CHECK_TIME(by_ticks >= least * (1 - slack) && by_ticks <= most * (1 + slack),
	           "%.6f s by the ticks, %.6f to %.6f s by the clock", by_ticks, least, most);
}

#endif
