/*
 * virtual_calls.h: vthreads=y: calls of virtual threads as calls of threads of their own. The
 * tracker's states belong to carriers. When a virtual thread leaves its carrier, its place in the
 * call graph is kept, and the time until it continues, on whichever carrier, is charged to it.
 *
 * Locking: a carrier takes the lock of a part of the table of parked threads and, where it asks
 * for a node, the call graph's. With per-thread traces it also takes that of the list of Java
 * threads and, to hand over costs, its own tracked thread's and under it that of a part of the
 * threads' costs.
 */
#ifndef HPROF_CALLS_VIRTUAL_CALLS_H
#define HPROF_CALLS_VIRTUAL_CALLS_H

#include "calls/tracker.h"
#include "profile/mode.h"

struct virtual_calls;

/* costs: of each thread, with per-thread traces; else NULL. NULL without memory. */
struct virtual_calls *virtual_calls_create(struct profile *profile, struct tracker *tracker,
                                           struct call_graph *graph,
                                           struct instrumented_methods *methods,
                                           struct costs_by_thread *costs);
void virtual_calls_destroy(struct virtual_calls *calls);

/* For mode_needs_part(). */
extern const struct mode_ops virtual_calls_hooks;

/* Time in which a virtual thread was on no carrier, for a cause. */
struct parked_time {
	uint32_t node;
	struct cost_owner *owner;
	enum wait_cause cause;
	uint64_t ns;
};

/* Calls visit with the time that parked threads have not been charged yet, which is charged
 * then, under a lock of the table of parked threads. Any thread. */
void virtual_calls_charge_parked(struct virtual_calls *calls,
                                 void (*visit)(void *argument, const struct parked_time *time),
                                 void *argument);

#endif
