/*
 * stop.c: the running agent of the VM, and the end of its profile while the VM continues.
 * Called by Agent_OnLoad and Agent_OnAttach.
 *
 * Nothing may be freed while a thread of the program can use it. So the agent is first detached
 * from the VM: events, environment, modes. Then callbacks in flight (active_callbacks.h) and
 * agent threads are waited for, and then everything is freed. What compiled Java code refers to,
 * nodes and states of counted calls, keeps its addresses (tracker.h).
 */
#include "agent/stop.h"

#include "agent/dump.h"
#include "agent/event_set.h"
#include "agent/start.h"
#include "agent/transform.h"
#include "vm/active_callbacks.h"
#include "vm/agent_thread.h"

/* Limit for callbacks in flight: one may be writing a record to a slow peer. */
enum { STOP_DEADLINE_MS = 60000 };

/* Global, since Agent_OnAttach has no argument that leads to the agent. */
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

	/* A dump may wait for it to be live. */
	atomic_store(&agent->stage, AGENT_DISCARDED);
	if (profile->jvmti != NULL) {
		agent_disable_events(agent);
		(void)(*profile->jvmti)->SetEnvironmentLocalStorage(profile->jvmti, NULL);
	}
	detach_modes(agent, jni);
	/* Wakes the thread that waits for commands of the peer. */
	if (agent->link != NULL)
		net_link_stop_reading(agent->link);
	(void)atomic_compare_exchange_strong(&running, &expected, NULL);
	/* An agent that is still in use after the deadline stays in memory, inactive. */
	if (active_callbacks_wait(STOP_DEADLINE_MS) &&
	    agent_threads_join(profile, STOP_DEADLINE_MS) && os_cpu_timers_end(STOP_DEADLINE_MS))
		agent_free(agent, jni);
}

void agent_stop(struct agent *agent, JNIEnv *jni)
{
	agent_end(agent, jni);
	/* While the class file event is enabled: otherwise the VM would not keep the original
	 * class files, and the constant pools would grow with each profile. */
	agent_transform_classes(agent, jni, "stay instrumented");
	agent_disable_events(agent);
	agent_discard(agent, jni);
}
