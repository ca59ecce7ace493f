/*
 * call_costs.h: the costs of call graph nodes since the last dump, summed over threads,
 * or per thread with thread=y. No lock: the owner locks it.
 */
#ifndef HPROF_CALLS_CALL_COSTS_H
#define HPROF_CALLS_CALL_COSTS_H

#include "calls/call_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The costs of the calls of a node. */
struct call_cost {
	uint32_t node;
	uint32_t thread_serial; /* 0: all threads */
	uint64_t costs[COST_KINDS];
};

struct call_costs;

/* NULL without memory. */
struct call_costs *call_costs_create(void);
void call_costs_destroy(struct call_costs *costs);

/* Adds to the costs of a node and thread. False without memory. */
bool call_costs_add(struct call_costs *costs, uint32_t node, uint32_t thread_serial,
                    const uint64_t amounts[COST_KINDS]);

/* Adds to the totals without a row. */
void call_costs_add_to_totals(struct call_costs *costs, const uint64_t amounts[COST_KINDS]);

/* The number of rows. */
size_t call_costs_rows(const struct call_costs *costs);

/* Keeps the rows that are_kept returns true for; the others are a part of the totals only. */
void call_costs_keep(struct call_costs *costs,
                     bool (*are_kept)(void *argument, const uint64_t costs[COST_KINDS]),
                     void *argument);

/* The rows with calls or a cost of a kind (calls, or a time with a section of its own), if that
 * cost is at least cutoff, a share of the kind's total: sorted by it, highest first, then by calls.
 * *count is their number. The table owns the rows; they are valid until the next call. NULL without
 * memory only: where there are no rows, *count is 0. */
const struct call_cost *call_costs_rank(struct call_costs *costs, enum cost_kind kind,
                                        double cutoff, size_t *count);

/* The sum over all rows, and what was added to the totals only. */
uint64_t call_costs_total(const struct call_costs *costs, enum cost_kind kind);

/* Adds all rows of from, and what only its totals have, and removes them there. False without
 * memory: then all are left, some added already. */
bool call_costs_move(struct call_costs *costs, struct call_costs *from);

/* Negative times, modulo 2^64, correct rows that another table has shown and will not show again:
 * they are taken from the row's other states instead. */
void call_costs_settle(struct call_costs *costs);

/* The same for one row. */
void call_cost_settle(uint64_t costs[COST_KINDS]);

/* Removes all rows. */
void call_costs_clear(struct call_costs *costs);

#endif
