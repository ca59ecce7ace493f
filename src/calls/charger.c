/*
 * charger.c: see charger.h. One agent thread runs this; it reads the CPU clock of each
 * tracked thread about once a millisecond and charges the time used since to the call that
 * is open. A thread is visited under the tracker's lock, so that it can't end meanwhile.
 * Only the thread itself, at its end, charges CPU time too, under the same lock.
 */
#include "calls/charger.h"

#include "os/time_units.h"
#include "sampling/engine.h"

#include <math.h>

#define INTERVAL_NS NS_PER_MS

enum {
	/* A thread that has used time but is not running now (it sleeps, or was
	 * preempted) has an open call that may not be the one that used the time. It
	 * is not charged until it runs, for at most this many rounds and intervals. */
	PATIENCE_ROUNDS = 20,
	PATIENCE_INTERVALS = 2,

	/* With very many threads a round takes long. The pause after a round is this
	 * many times the CPU time of the round, which leaves most of the CPU, and the
	 * lock, to the program. The wall-clock time does not count: a round that
	 * waited for a CPU must not delay the next even more. */
	PAUSE_FACTOR = 19
};

static bool shows_another_call(struct tracked_thread *thread, uint64_t used_ns)
{
	return used_ns <= PATIENCE_INTERVALS * INTERVAL_NS &&
	       thread->waited_rounds < PATIENCE_ROUNDS && os_thread_running(thread->id) == OS_NO;
}

struct round {
	struct charger *charger;
	uint64_t usual_ns; /* the CPU time that a thread can use from round to round */
};

static void note_due(struct charger *charger, uint64_t due_ns)
{
	if (due_ns > atomic_load(&charger->most_ns))
		atomic_store(&charger->most_ns, due_ns);
}

/* Time that is not charged now is charged in later rounds. */
static void charge(void *argument, struct tracked_thread *thread)
{
	const struct round *round = argument;
	uint64_t charged_ns = thread->state->charged_cpu_ns;
	uint64_t cpu_ns;

	if (!tracker_is_charged_outside(round->charger->tracker, thread))
		return;
	if (os_thread_cpu_ns(thread->id, &cpu_ns) != 0 || cpu_ns <= charged_ns)
		return;
	note_due(round->charger, cpu_ns - charged_ns);
	if (shows_another_call(thread, cpu_ns - charged_ns)) {
		thread->waited_rounds++;
		return;
	}
	thread->waited_rounds = 0;
	call_state_charge_cpu(thread->state,
	                      charged_ns + engine_share(cpu_ns - charged_ns, round->usual_ns));
}

/* The phase within the interval varies from round to round. Otherwise a program that
 * repeats the same work every millisecond would always be charged at the same point. */
uint64_t charger_next_ns(uint64_t began_ns, uint64_t now_ns, uint64_t used_ns, uint64_t round)
{
	uint64_t at_ns = began_ns + INTERVAL_NS / 2 + engine_phase_ns(round, INTERVAL_NS);
	uint64_t least_ns = now_ns + used_ns * PAUSE_FACTOR;
	return at_ns > least_ns ? at_ns : least_ns;
}

void charger_add_pace(struct charger *charger, uint64_t apart_ns)
{
	double ns = (double)apart_ns;
	atomic_store(&charger->apart_ns, atomic_load(&charger->apart_ns) + ns);
	atomic_store(&charger->apart_cubes, atomic_load(&charger->apart_cubes) + ns * ns * ns);
}

double charger_pace_ns(const struct charger *charger)
{
	double sum_ns = atomic_load(&charger->apart_ns);
	return sum_ns > 0 ? sqrt(atomic_load(&charger->apart_cubes) / sum_ns) : 0;
}

uint64_t charger_most_ns(const struct charger *charger)
{
	return atomic_load(&charger->most_ns);
}

void JNICALL charger_run(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct charger *charger = argument;
	struct round round = {.charger = charger, .usual_ns = PATIENCE_INTERVALS * INTERVAL_NS};
	(void)jvmti;
	(void)jni;

	uint64_t before_ns = 0;
	for (uint64_t number = 0; !tracker_is_stopped(charger->tracker); number++) {
		uint64_t began_ns = os_monotonic_ns();
		if (number > 0)
			charger_add_pace(charger, began_ns - before_ns);
		before_ns = began_ns;
		uint64_t began_cpu_ns = os_self_cpu_ns();
		tracker_each_thread(charger->tracker, charge, &round);
		uint64_t used_ns = os_self_cpu_ns() - began_cpu_ns;
		uint64_t at_ns = charger_next_ns(began_ns, os_monotonic_ns(), used_ns, number);
		os_sleep_until(at_ns);
		round.usual_ns = PATIENCE_INTERVALS * (at_ns - began_ns);
	}
}
