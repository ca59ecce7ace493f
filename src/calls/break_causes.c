/*
 * break_causes.c: see break_causes.h.
 */
#include "calls/break_causes.h"

#include "os/time_units.h"

/* Up to this much passes until the VM begins to stop the program for a thread that waits for
 * that, and until the thread runs again. */
#define RESUME_NS NS_PER_MS

enum off_cpu_state wait_cause_state(enum wait_cause cause)
{
	static const enum off_cpu_state states[] = {
	        [WAIT_NONE] = OFF_SLP, [WAIT_SLEEP] = OFF_SLP, [WAIT_IO] = OFF_IO,
	        [WAIT_PARK] = OFF_SLP, [WAIT_LOCK] = OFF_LCK,  [WAIT_VM] = OFF_STW,
	};
	return states[cause];
}

static uint64_t least(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* How much of ns the VM may have stopped the thread. With a pause whose time is not counted yet,
 * all of it. */
static uint64_t stopped_ns(const struct break_facts *facts, uint64_t ns)
{
	uint64_t counted_ns = facts->safepoint_ns > facts->collected_ns ? facts->safepoint_ns
	                                                                : facts->collected_ns;
	if (facts->pauses == 0)
		return 0;
	return counted_ns == 0 ? ns : least(ns, counted_ns + facts->pauses * RESUME_NS);
}

/* The state of what is left after the waits for pages and for a CPU. */
static void explain_rest(const struct break_facts *facts, uint64_t ns,
                         uint64_t states_ns[OFF_CPU_STATES])
{
	uint64_t stw_ns;

	if (facts->cause != WAIT_NONE) {
		states_ns[wait_cause_state(facts->cause)] = ns;
		return;
	}
	/* It was ready to run all the time: the host of a virtual machine had the CPU. */
	if (facts->queue_known && facts->switches_known && facts->switches == 0) {
		states_ns[OFF_LAT] += ns;
		return;
	}
	stw_ns = stopped_ns(facts, ns);
	states_ns[OFF_STW] = stw_ns;
	states_ns[OFF_SLP] = ns - stw_ns;
}

/* Moves what fits into *left_ns from a wait that the system has accounted. */
static uint64_t take(uint64_t *accounted_ns, uint64_t *left_ns)
{
	uint64_t taken_ns = least(*accounted_ns, *left_ns);

	*accounted_ns -= taken_ns;
	*left_ns -= taken_ns;
	return taken_ns;
}

void break_explain(struct break_facts *facts, uint64_t states_ns[OFF_CPU_STATES])
{
	uint64_t left_ns = facts->ns;

	for (int i = 0; i < OFF_CPU_STATES; i++)
		states_ns[i] = 0;
	states_ns[OFF_TFL] = take(&facts->text_fault_ns, &left_ns);
	states_ns[OFF_DFL] = take(&facts->data_fault_ns, &left_ns);
	if (facts->queue_known)
		states_ns[OFF_LAT] = take(&facts->queued_ns, &left_ns);
	if (left_ns > 0)
		explain_rest(facts, left_ns, states_ns);
}
