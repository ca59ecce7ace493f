/*
 * uncharged_costs.h: what a table shows of the time that a thread has not charged yet, such as
 * that of a long wait in progress. When the thread charges it, perhaps to other states, the table
 * is corrected; what an earlier section showed is left out of the next. Pure.
 */
#ifndef HPROF_CALLS_UNCHARGED_COSTS_H
#define HPROF_CALLS_UNCHARGED_COSTS_H

#include "calls/break_causes.h"

/* Of one thread. Nothing is shown when all bytes are 0. */
struct uncharged_costs {
	uint32_t node;
	uint64_t since_ns;        /* that of the time shown */
	uint64_t ns[COST_KINDS];  /* of COST_USR_NS and COST_STATES_NS on */
	uint64_t own[COST_KINDS]; /* the part that the current section shows */
	uint64_t section;
};

/* The thread has charged costs, with COST_USR_NS set, to a node: subtracts what was shown of them
 * before. A cost can become negative, modulo 2^64: added to the section with that number, which
 * shows it, the sum is not. */
void uncharged_costs_subtract(struct uncharged_costs *shown, uint64_t section, uint32_t node,
                              uint64_t costs[COST_KINDS]);

/* The thread has charged what was shown, and what it charged has been subtracted from: nothing is
 * shown any more. What the section still shows was charged to another node: if the thread left its
 * CPU just after it looked whether it had, before the other call was open. costs is set to what
 * takes it back from shown->node, negative as above. */
void uncharged_costs_end(struct uncharged_costs *shown, uint64_t section,
                         uint64_t costs[COST_KINDS]);

/* Shows the time that the thread has not charged now, a wait for that cause, in the section. All
 * that the thread had charged before that time has been collected. costs is set to what is new of
 * it, for time->node. */
void uncharged_costs_show(struct uncharged_costs *shown, uint64_t section,
                          const struct uncharged_time *time, enum wait_cause cause,
                          uint64_t costs[COST_KINDS]);

#endif
