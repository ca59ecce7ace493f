/*
 * engine.c: what the engines of CPU sampling share. Pure functions.
 */
#include "sampling/engine.h"

uint64_t engine_phase_ns(uint64_t thread_number, uint64_t interval_ns)
{
	/* Multiples of the golden ratio, taken modulo one, are spread evenly
	 * however many there are. */
	double ratio = 0.6180339887498949 * (double)(thread_number % 1000000);
	double fraction = ratio - (double)(uint64_t)ratio;
	return (uint64_t)(fraction * (double)interval_ns);
}

uint64_t engine_share(uint64_t used, uint64_t usual)
{
	/* One look in eight that comes late, however late, is made up for by the others. */
	enum { LATE_PARTS = 8 };
	if (used <= usual)
		return used;
	uint64_t late = used - usual;
	return usual + late / LATE_PARTS + (late % LATE_PARTS != 0);
}
