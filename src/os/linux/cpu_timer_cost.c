/*
 * cpu_timer_cost.c: see cpu_timer_cost.h. The thread reads the clock all the time. An
 * expiration shows as a gap between the reading before it and the one after it. Gaps in which the
 * thread was switched are left out, and other interrupts make some longer, so the median counts.
 */
#include "cpu_timer_cost.h"

#include "os.h"
#include "time_units.h"

#include <stdlib.h>
#include <sys/resource.h>

#define LIMIT_NS (20 * NS_PER_MS) /* of CPU time, for a signal that does not come */

enum {
	GAPS = 5,
	GAPS_LEAST = 3,
	READINGS = 20000 /* of the clock, between looks at the CPU clock, which takes longer */
};

/* Waits for an expiration. The gap, or 0 when none came. */
static uint64_t next_gap(const volatile unsigned *expirations)
{
	unsigned before = *expirations;
	uint64_t last_ns = os_monotonic_ns();

	for (unsigned i = 0; i < READINGS; i++) {
		uint64_t now_ns = os_monotonic_ns();
		if (*expirations != before)
			return os_monotonic_ns() - last_ns;
		last_ns = now_ns;
	}
	return 0;
}

/* How often the thread has left its CPU. */
static long switches(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw + usage.ru_nivcsw : 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;
	return (*left > *right) - (*left < *right);
}

/* Takes up to requested gaps; returns their number. */
static size_t take_gaps(const volatile unsigned *expirations, uint64_t *gaps, size_t requested)
{
	size_t count = 0;
	uint64_t end_ns = os_self_cpu_ns() + LIMIT_NS;

	while (count < requested && os_self_cpu_ns() < end_ns) {
		long before = switches();
		uint64_t gap_ns = next_gap(expirations);
		if (gap_ns > 0 && switches() == before)
			gaps[count++] = gap_ns;
	}
	return count;
}

uint64_t cpu_timer_cost_estimate(const volatile unsigned *expirations)
{
	uint64_t gap_ns;
	return take_gaps(expirations, &gap_ns, 1) == 1 ? gap_ns : 0;
}

uint64_t cpu_timer_cost_measure(const volatile unsigned *expirations)
{
	uint64_t gaps[GAPS];
	size_t count = take_gaps(expirations, gaps, GAPS);

	if (count < GAPS_LEAST)
		return 0;
	qsort(gaps, count, sizeof(gaps[0]), compare);
	return gaps[count / 2];
}
