/*
 * stop.c: the one agent of the VM, and how its profile ends while the VM lives on.
 * Called by Agent_OnLoad and Agent_OnAttach.
 *
 * Nothing can be freed that a thread of the program may still look at. So everything
 * that leads to the agent is taken away first; then who is inside (active_callbacks.h) is
 * waited for, and the agent's own threads; then all is freed. What Java code of the
 * program itself holds, nodes and states of counted calls, keeps its addresses
 * (tracker.h).
 */
#include "agent/agent.h"

#include "vm/active_callbacks.h"
#include "vm/agent_thread.h"

/* How long somebody may stay inside: a record that waits for a slow peer. */
enum { STOP_DEADLINE_MS = 60000 };

/* Agent_OnAttach has no argument of ours to find it by. */
static _Atomic(struct agent *) running;

struct agent *agent_running(void)
{
	return atomic_load(&running);
}

bool agent_claim(struct agent *agent)
{
	struct agent *none = NULL;
	return atomic_compare_exchange_strong(&running, &none, agent);
}

static void detach_modes(struct agent *agent, JNIEnv *jni)
{
	EACH_MODE(agent, mode, detach)
		mode->ops->detach(mode->state, jni);
}

void agent_discard(struct agent *agent, JNIEnv *jni)
{
	struct profile *profile = &agent->profile;
	struct agent *expected = agent;

	if (profile->jvmti != NULL) {
		agent_disable_events(agent);
		(void)(*profile->jvmti)->SetEnvironmentLocalStorage(profile->jvmti, NULL);
	}
	detach_modes(agent, jni);
	/* The thread that reads commands need not wait for the peer. */
	if (agent->link != NULL)
		net_link_stop_reading(agent->link);
	(void)atomic_compare_exchange_strong(&running, &expected, NULL);
	/* An agent that somebody does not leave stays in memory, and does nothing. */
	if (active_callbacks_wait(STOP_DEADLINE_MS) &&
	    agent_threads_join(profile, STOP_DEADLINE_MS) && os_cpu_timers_end(STOP_DEADLINE_MS))
		agent_free(agent, jni);
}

void agent_stop(struct agent *agent, JNIEnv *jni)
{
	agent_end(agent, jni);
	/* The VM keeps a class's file as it was before us only if the event that could
	 * change it again is enabled; else each profile would begin with the last one's
	 * constants, and their number would grow. */
	agent_transform_classes(agent, jni, "stay instrumented");
	agent_disable_events(agent);
	agent_discard(agent, jni);
}
