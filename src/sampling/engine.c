/*
 * engine.c: see engine.h. Functions without state.
 */
#include "sampling/engine.h"

const char *stackless_reason_name(enum stackless_reason reason)
{
	static const char *const names[STACKLESS_REASONS] = {
	        [STACKLESS_NO_JAVA_FRAME] = "no Java frame",
	        [STACKLESS_IN_GC] = "garbage collection",
	        [STACKLESS_NOT_WALKABLE] = "not walkable",
	        [STACKLESS_EXITING] = "thread ending",
	        [STACKLESS_WALKER_FAULT] = "walker failed",
	        [STACKLESS_TOO_LONG] = "walk too long",
	        [STACKLESS_ENDED] = "thread ended early",
	        [STACKLESS_RING_FULL] = "buffer full",
	        [STACKLESS_FILTERED] = "left out by include or exclude",
	};
	return names[reason];
}

uint64_t engine_phase_ns(uint64_t thread_number, uint64_t interval_ns)
{
	/* The fractional parts of multiples of the golden ratio are evenly spread,
	 * whatever their number. */
	double ratio = 0.6180339887498949 * (double)(thread_number % 1000000);
	double fraction = ratio - (double)(uint64_t)ratio;
	return (uint64_t)(fraction * (double)interval_ns);
}

uint64_t engine_sample_time(const struct sample_sink *sink)
{
	return sink->timed ? os_monotonic_ns() : 0;
}

uint64_t engine_share(uint64_t used, uint64_t usual)
{
	/* A late reading is caught up over the next eight, however late it was. */
	enum { LATE_PARTS = 8 };
	if (used <= usual)
		return used;
	uint64_t late = used - usual;
	return usual + late / LATE_PARTS + (late % LATE_PARTS != 0);
}
