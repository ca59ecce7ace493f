/*
 * worker.c: the agent thread that drains samples and writes the output, so that threads of the
 * program do not.
 */
#include "agent/worker.h"

#include "agent/dump.h"
#include "os/time_units.h"
#include "vm/agent_thread.h"

enum { POLL_MS = 100 };

static void JNICALL work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct agent *agent = argument;
	(void)jvmti;

	/* The first poll at once, for what modes leave to it so as not to delay the program's
	 * start. After the end of the profile one more: it stops the modes. */
	bool last;
	do {
		last = profile_is_stopped(&agent->profile);
		agent_poll(agent, jni);
		if (!last)
			(void)os_event_wait(&agent->profile.wake, POLL_MS);
	} while (!last);
}

void worker_start(struct agent *agent, JNIEnv *jni)
{
	/* Not in the first poll, which finds nothing to show. */
	agent->update_due_ns = os_monotonic_ns() + POLL_MS * NS_PER_MS;
	(void)agent_thread_start(&agent->profile, jni, "hprof", work, agent);
}
