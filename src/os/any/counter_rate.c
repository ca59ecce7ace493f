/*
 * counter_rate.c: see counter_rate.h.
 */
#include "counter_rate.h"

#include "os.h"
#include "time_units.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define MEASURE_NS (20 * NS_PER_MS)
#define MEASURE_TRIES 8

#if defined(__x86_64__)

bool tsc_keeps_rate(void)
{
	const unsigned power_management_leaf = 0x80000007U;
	const unsigned invariant_tsc = 1U << 8;
	unsigned a;
	unsigned b;
	unsigned c;
	unsigned d;
	return __get_cpuid(power_management_leaf, &a, &b, &c, &d) != 0 && (d & invariant_tsc) != 0;
}

#else

bool tsc_keeps_rate(void)
{
	return false;
}

#endif

/* The counter and the clock read together: of several tries, the one with the
 * shortest interruption. */
static void read_both(uint64_t (*read)(void), uint64_t *counts, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < MEASURE_TRIES; i++) {
		uint64_t before = os_monotonic_ns();
		uint64_t now = read();
		uint64_t took = os_monotonic_ns() - before;
		if (took < best) {
			best = took;
			*counts = now;
			*ns = before + took / 2;
		}
	}
}

uint64_t counter_rate_measure(uint64_t (*read)(void))
{
	uint64_t counts0 = 0;
	uint64_t ns0 = 0;
	uint64_t counts1 = 0;
	uint64_t ns1 = 0;
	read_both(read, &counts0, &ns0);
	os_sleep_until(ns0 + MEASURE_NS);
	read_both(read, &counts1, &ns1);
	return (uint64_t)((double)(counts1 - counts0) * (double)NS_PER_SECOND /
	                  (double)(ns1 - ns0));
}
