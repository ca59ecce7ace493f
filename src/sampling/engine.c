/*
 * engine.c: see engine.h. Pure functions.
 */
#include "sampling/engine.h"

uint64_t engine_phase_ns(uint64_t thread_number, uint64_t interval_ns)
{
	/* The fractional parts of multiples of the golden ratio are evenly spread,
	 * whatever their number. */
	double ratio = 0.6180339887498949 * (double)(thread_number % 1000000);
	double fraction = ratio - (double)(uint64_t)ratio;
	return (uint64_t)(fraction * (double)interval_ns);
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
