/*
 * start_mode.c: adds a mode during the profile, for a command of the peer, on the thread that
 * carries it out, under the profile's dump lock. Such a mode visits the existing threads and
 * classes, as after an attach.
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

/* Whether a mode or part from that number on rewrites classes. */
static bool rewrites_classes(const struct agent *agent, size_t first)
{
	EACH_MODE_IN(agent, mode, first, agent->modes.count, rewrite_class)
		return true;
	return false;
}

bool agent_start_mode(struct agent *agent, JNIEnv *jni, const struct mode_ops *ops)
{
	size_t number = agent->modes.count;
	struct mode_needs before = agent->needs;
	struct mode_needs needs = agent->needs;

	if (!active_modes_have_room(&agent->modes))
		return false;
	void *state = ops->create(&agent->profile, &needs);
	if (state == NULL)
		return false;
	if (!enable(agent, &needs)) {
		agent->needs = before;
		ops->destroy(state, jni);
		return false;
	}
	active_modes_add(&agent->modes, ops, state, &agent->needs);
	begin_modes_live(agent, jni, number);
	begin_modes_known_threads(agent, jni);
	if (rewrites_classes(agent, number))
		begin_modes_rewriting(agent, jni);
	begin_modes_begin(agent, number);
	return true;
}
