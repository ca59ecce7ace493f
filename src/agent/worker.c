/*
 * worker.c: the agent thread that drains samples and writes the output, so that threads of the
 * program do not.
 */
#include "agent/worker.h"

#include "agent/dump.h"
#include "vm/agent_thread.h"

enum { POLL_MS = 100 };

static void JNICALL work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct agent *agent = argument;
	(void)jvmti;

	/* After the end of the profile one more poll: it stops the modes. */
	bool last;
	do {
		(void)os_event_wait(&agent->profile.wake, POLL_MS);
		last = profile_is_stopped(&agent->profile);
		agent_poll(agent, jni);
	} while (!last);
}

void worker_start(struct agent *agent, JNIEnv *jni)
{
	(void)agent_thread_start(&agent->profile, jni, "hprof", work, agent);
}
