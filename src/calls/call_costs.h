/*
 * call_costs.h: the costs of call graph nodes, added up over threads (or for
 * each thread, with thread=y) since the last dump. Not locked: the owner's lock
 * covers it.
 */
#ifndef HPROF_CALLS_CALL_COSTS_H
#define HPROF_CALLS_CALL_COSTS_H

#include "calls/call_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the calls of one node cost. */
struct call_cost {
	uint32_t node;
	uint32_t thread_serial; /* 0: of all threads */
	uint64_t costs[COST_KINDS];
};

struct call_costs;

/* NULL without memory. */
struct call_costs *call_costs_create(void);
void call_costs_destroy(struct call_costs *costs);

/* Adds to the costs of a node (and thread). False without memory. */
bool call_costs_add(struct call_costs *costs, uint32_t node, uint32_t thread_serial,
                    const uint64_t amounts[COST_KINDS]);

/* The costs that are not less than the cutoff, a share of the total of the kind given,
 * ordered by that kind, the highest first, then by calls; *count says how many. The
 * rows are the table's until the next call. *count is 0 and the answer NULL when there
 * are none. */
const struct call_cost *call_costs_rank(struct call_costs *costs, enum cost_kind kind,
                                        double cutoff, size_t *count);

/* The sum over all nodes. */
uint64_t call_costs_total(const struct call_costs *costs, enum cost_kind kind);

/* Starts anew. */
void call_costs_clear(struct call_costs *costs);

#endif
