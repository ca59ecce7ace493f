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

	/* Nothing at once: a program that ends soon has to wait for this thread, and one that
	 * starts needs the CPU. After the end of the profile one more poll: it stops the modes. */
	bool last;
	do {
		(void)os_event_wait(&agent->profile.wake, POLL_MS);
		last = profile_is_stopped(&agent->profile);
		if (!last)
			os_prepare_thread_fence();
		agent_poll(agent, jni);
	} while (!last);
}

void worker_start(struct agent *agent, JNIEnv *jni)
{
	/* Not in a poll before that, which finds nothing to show. */
	agent->update_due_ns = os_monotonic_ns() + POLL_MS * NS_PER_MS;
	(void)agent_thread_start(&agent->profile, jni, "hprof", work, agent);
}
