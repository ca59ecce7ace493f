/*
 * costs_by_thread.h: thread=y: the costs that threads have collected from their call states since
 * the last dump, each thread's by itself until it ends. Then, and at a dump, costs below the cutoff
 * of every table become a part of the totals only: the totals grow, so that no table can show them.
 * So memory is bounded by the threads that live and by the cutoff, however many threads there
 * were.
 *
 * Locking: the table has parts by thread, each with a lock, under which no other is taken. Any
 * thread may call all of it.
 */
#ifndef HPROF_CALLS_COSTS_BY_THREAD_H
#define HPROF_CALLS_COSTS_BY_THREAD_H

#include "calls/call_costs.h"

#include <stdbool.h>
#include <stdint.h>

struct costs_by_thread;
struct thread_costs;

/* Whose costs they are. A zero serial is none. */
struct cost_owner {
	uint32_t serial;
	struct thread_costs *costs; /* NULL until there are some; of the table */
};

/* both_clocks: with the kinds of both clocks, otherwise with calls and CPU time only. Costs of less
 * than cutoff, a share of the total, are not shown. NULL without memory. */
struct costs_by_thread *costs_by_thread_create(bool both_clocks, double cutoff);
void costs_by_thread_destroy(struct costs_by_thread *all);

/* Locks the part of an owner, and gives it a place for costs if it has none. False without memory:
 * nothing is locked. */
bool costs_by_thread_lock(struct costs_by_thread *all, struct cost_owner *owner);

/* Adds to the owner's costs of a node, with the part locked. False without memory. */
bool costs_by_thread_add(struct costs_by_thread *all, const struct cost_owner *owner, uint32_t node,
                         const uint64_t amounts[COST_KINDS]);

void costs_by_thread_unlock(struct costs_by_thread *all, const struct cost_owner *owner);

/* The owner has ended, and has no costs any more. False without memory. */
bool costs_by_thread_end(struct costs_by_thread *all, struct cost_owner *owner);

/* Moves all costs to a table that shows them. What of them is below the cutoff of the sum of both
 * is moved to its totals only. One thread at a time. False without memory. */
bool costs_by_thread_move(struct costs_by_thread *all, struct call_costs *to);

/* As call_costs_settle(), of costs that have been added since they were moved. */
void costs_by_thread_settle(struct costs_by_thread *all);

#endif
