/*
 * break_causes.h: explains a break, time that a thread spent off its CPU: divides it among the
 * states of off_cpu_state. Pure.
 */
#ifndef HPROF_CALLS_BREAK_CAUSES_H
#define HPROF_CALLS_BREAK_CAUSES_H

#include "calls/call_state.h"
#include "vm/wait_calls.h"

/* The state of time in which a thread waits for that, if nothing else is known of it. */
enum off_cpu_state wait_cause_state(enum wait_cause cause);

/* What is known of a break. Differences are since the break before. */
struct break_facts {
	uint64_t ns;
	enum wait_cause cause;
	uint64_t text_fault_ns; /* differences: waiting for pages; 0 if not known */
	uint64_t data_fault_ns;
	bool queue_known;
	uint64_t queued_ns; /* difference: waiting for a CPU */
	bool switches_known;
	uint64_t switches;     /* difference: voluntary context switches */
	uint64_t pauses;       /* difference: times that the VM stopped the program */
	uint64_t safepoint_ns; /* difference: how long, see vm_pauses.h */
	uint64_t collected_ns;
};

/* Divides facts->ns. What of the waits for pages and for a CPU does not fit into it is left in
 * facts: it belongs to the next break. */
void break_explain(struct break_facts *facts, uint64_t states_ns[OFF_CPU_STATES]);

#endif
