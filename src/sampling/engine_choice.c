/*
 * engine_choice.c: see engine_choice.h. No state of its own.
 */
#include "sampling/engine_choice.h"

bool engine_choice_create(struct profile *profile, struct sample_sink *sink,
                          struct mode_needs *needs, const struct engine_ops **ops, void **engine)
{
	int choice = profile->settings->engine;
	const char *reason = NULL;

	if (choice != ENGINE_CLOCK) {
		*ops = &engine_async;
		*engine = engine_async.create(profile, sink, needs, &reason);
		if (*engine != NULL)
			return true;
		if (choice == ENGINE_ASYNC) {
			message_print("engine=async is unavailable: %s; write engine=clock or "
			              "remove engine=",
			              reason);
			return false;
		}
		if (profile->settings->verbose)
			message_print("engine=async is unavailable: %s; using engine=clock",
			              reason);
	}
	*ops = &engine_clock;
	*engine = engine_clock.create(profile, sink, needs, &reason);
	if (*engine == NULL)
		message_print("CPU sampling is unavailable: %s; remove cpu=", reason);
	return *engine != NULL;
}
