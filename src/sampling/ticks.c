/*
 * ticks.c: see ticks.h.
 */
#include "sampling/ticks.h"

#include "os/time_units.h"
#include "sampling/engine.h"

/* The longest single sleep. */
#define SLEEP_NS (50 * NS_PER_MS)

void ticks_start(struct ticks *ticks, uint64_t interval_ns, const _Atomic bool *stopped)
{
	*ticks = (struct ticks){
	        .start_ns = os_monotonic_ns(), .interval_ns = interval_ns, .stopped = stopped};
}

static uint64_t time_of(const struct ticks *ticks)
{
	return ticks->start_ns + ticks->number * ticks->interval_ns +
	       engine_phase_ns(ticks->number, ticks->interval_ns);
}

bool ticks_wait(struct ticks *ticks, uint64_t earliest_ns)
{
	uint64_t now_ns = os_monotonic_ns();
	uint64_t from_ns = now_ns > earliest_ns ? now_ns : earliest_ns;
	uint64_t passed = (from_ns - ticks->start_ns) / ticks->interval_ns;

	ticks->number = ticks->number + 1 > passed ? ticks->number + 1 : passed;
	if (time_of(ticks) < earliest_ns)
		ticks->number++;
	uint64_t tick_ns = time_of(ticks);
	while (now_ns < tick_ns && !atomic_load(ticks->stopped)) {
		uint64_t left_ns = tick_ns - now_ns;
		os_sleep_until(now_ns + (left_ns < SLEEP_NS ? left_ns : SLEEP_NS));
		now_ns = os_monotonic_ns();
	}
	return !atomic_load(ticks->stopped);
}
