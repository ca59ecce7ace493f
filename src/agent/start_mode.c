/*
 * start_mode.c: adds a mode during the profile, for a command of the peer, on the thread that
 * carries it out, under the profile's dump lock. Such a mode visits the existing threads and
 * classes, as after an attach.
 *
 * Callbacks read the list of modes without a lock: a mode is stored before mode_count includes
 * it, and is never removed.
 */
#include "agent/start_mode.h"

#include "agent/begin_modes.h"
#include "agent/capabilities.h"
#include "agent/event_set.h"

/* Adds the capabilities and events that the mode needs. */
static bool enable(struct agent *agent, const struct mode_needs *needs)
{
	agent->needs = *needs;
	return agent_add_capabilities(agent->profile.jvmti, &needs->capabilities) &&
	       agent_enable_needed(agent);
}

bool agent_start_mode(struct agent *agent, JNIEnv *jni, const struct mode_ops *ops)
{
	size_t number = agent->mode_count;
	struct mode_needs before = agent->needs;
	struct mode_needs needs = agent->needs;

	if (number == AGENT_MODES_MAX)
		return false;
	void *state = ops->create(&agent->profile, &needs);
	if (state == NULL)
		return false;
	if (!enable(agent, &needs)) {
		agent->needs = before;
		ops->destroy(state, jni);
		return false;
	}
	agent->modes[number] = (struct active_mode){.ops = ops, .state = state};
	agent->mode_count = number + 1;
	begin_modes_live(agent, jni, number);
	begin_modes_known_threads(agent, jni);
	if (ops->rewrite_class != NULL)
		begin_modes_rewriting(agent, jni);
	begin_modes_begin(agent, number);
	return true;
}
