/*
 * charger.c: see charger.h. One thread of the agent runs this; it reads the CPU
 * clock of each tracked thread about once a millisecond and charges what has been
 * used since to the call that is open then. Each thread is visited under the
 * tracker's lock, so that it can't end meanwhile; nobody else charges CPU time but
 * the thread itself at its end, under the same lock.
 */
#include "calls/charger.h"

#include "sampling/engine.h"

#define INTERVAL_NS UINT64_C(1000000)

enum {
	/* A thread that has used its time but does not run right now shows a call
	 * that has not used it: it sleeps, or was preempted. It is left until it
	 * runs, for so many rounds, unless it has used much. */
	PATIENCE_ROUNDS = 20,
	PATIENCE_INTERVALS = 2,

	/* With very many threads a round takes long. The pause after it is so many
	 * times as long, which leaves most of the processor, and the lock, to the
	 * program. It counts what the round used itself: one that stood still because
	 * others had the processors is no reason to come even later. */
	PAUSE_FACTOR = 19
};

static bool shows_another_call(struct tracked_thread *thread, uint64_t used_ns)
{
	return used_ns <= PATIENCE_INTERVALS * INTERVAL_NS &&
	       thread->waited_rounds < PATIENCE_ROUNDS && os_thread_running(thread->id) == OS_NO;
}

/* argument: the uint64_t that a thread may use from round to round. What is not charged
 * now is still to be charged the next time. */
static void charge(void *argument, struct tracked_thread *thread)
{
	const uint64_t *usual_ns = argument;
	uint64_t charged_ns = thread->state.cpu_ns;
	uint64_t cpu_ns;

	if (os_thread_cpu_ns(thread->id, &cpu_ns) != 0 || cpu_ns <= charged_ns)
		return;
	if (shows_another_call(thread, cpu_ns - charged_ns)) {
		thread->waited_rounds++;
		return;
	}
	thread->waited_rounds = 0;
	call_state_charge_cpu(&thread->state,
	                      charged_ns + engine_share(cpu_ns - charged_ns, *usual_ns));
}

/* At a place in the interval that differs from round to round: a program that does
 * the same in every millisecond would else be met at the same work each time. */
uint64_t charger_next_ns(uint64_t began_ns, uint64_t now_ns, uint64_t used_ns, uint64_t round)
{
	uint64_t at_ns = began_ns + INTERVAL_NS / 2 + engine_phase_ns(round, INTERVAL_NS);
	uint64_t least_ns = now_ns + used_ns * PAUSE_FACTOR;
	return at_ns > least_ns ? at_ns : least_ns;
}

void JNICALL charger_run(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct tracker *tracker = argument;
	(void)jvmti;
	(void)jni;

	uint64_t usual_ns = PATIENCE_INTERVALS * INTERVAL_NS;

	for (uint64_t round = 0; !tracker_is_stopped(tracker); round++) {
		uint64_t began_ns = os_monotonic_ns();
		uint64_t began_cpu_ns = os_self_cpu_ns();
		tracker_each_thread(tracker, charge, &usual_ns);
		uint64_t used_ns = os_self_cpu_ns() - began_cpu_ns;
		uint64_t at_ns = charger_next_ns(began_ns, os_monotonic_ns(), used_ns, round);
		os_sleep_until(at_ns);
		usual_ns = PATIENCE_INTERVALS * (at_ns - began_ns);
	}
}
