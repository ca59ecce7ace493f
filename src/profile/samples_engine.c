/*
 * samples_engine.c: what the engines of CPU sampling share. Called by the modes
 * that sample, before the VM is up, and by engines on any thread.
 */
#include "profile/samples_engine.h"

bool samples_engine_choose(struct profile *profile, struct samples_sink *sink,
                           struct mode_needs *needs, const struct samples_engine_ops **ops,
                           void **engine)
{
	int choice = profile->settings->engine;
	const char *reason = NULL;

	if (choice != ENGINE_CLOCK) {
		*ops = &samples_async_engine;
		*engine = samples_async_engine.create(profile, sink, needs, &reason);
		if (*engine != NULL)
			return true;
		if (choice == ENGINE_ASYNC) {
			message_print("engine=async can't work here: %s; write engine=clock or "
			              "leave engine out",
			              reason);
			return false;
		}
		if (profile->settings->verbose)
			message_print("%s; sampling by thread clocks instead", reason);
	}
	*ops = &samples_clock_engine;
	*engine = samples_clock_engine.create(profile, sink, needs, &reason);
	if (*engine == NULL)
		message_print("CPU time can't be sampled here: %s", reason);
	return *engine != NULL;
}

uint64_t samples_phase(uint64_t thread_number, uint64_t interval_ns)
{
	/* Multiples of the golden ratio, taken modulo one, are spread evenly
	 * however many there are. */
	double ratio = 0.6180339887498949 * (double)(thread_number % 1000000);
	double fraction = ratio - (double)(uint64_t)ratio;
	return (uint64_t)(fraction * (double)interval_ns);
}

uint64_t samples_share(uint64_t used, uint64_t usual)
{
	/* One look in eight that comes late, however late, is made up for by the others. */
	enum { LATE_PARTS = 8 };
	if (used <= usual)
		return used;
	uint64_t late = used - usual;
	return usual + late / LATE_PARTS + (late % LATE_PARTS != 0);
}
