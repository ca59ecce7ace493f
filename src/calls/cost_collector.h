/*
 * cost_collector.h: cpu=times: brings together the costs that threads have in their call states:
 * those of all at a dump, and those of one when it ends, or when what it charges is another
 * thread's from then on. With per-thread traces each thread's are its own until a dump
 * (costs_by_thread.h).
 *
 * Locking: a thread hands over its costs under a lock of the collector, or of a part of the
 * threads' costs. What a dump shows is covered by the dump lock, so that no thread waits while it
 * is written. Order: the profile's dump lock, the tracker's lock, a tracked thread's or that of a
 * part of the parked threads, the lock of costs.
 */
#ifndef HPROF_CALLS_COST_COLLECTOR_H
#define HPROF_CALLS_COST_COLLECTOR_H

#include "calls/call_costs.h"
#include "calls/costs_by_thread.h"
#include "calls/virtual_calls.h"

struct cost_collector {
	struct profile *profile;
	struct call_graph *graph;          /* set by the owner before threads are tracked */
	struct call_costs *costs;          /* what the sections of a dump show */
	struct costs_by_thread *by_thread; /* with per-thread traces; else NULL */

	struct os_mutex lock;           /* for handed_over */
	struct call_costs *handed_over; /* without per-thread traces */
	_Atomic uint64_t section;       /* number of resets; read under by_thread's locks, too */
};

/* False without memory. */
bool cost_collector_init(struct cost_collector *collector, struct profile *profile);
void cost_collector_end(struct cost_collector *collector);

/* For tracker_create(), which gets the collector, too. On the thread, which has charged its time,
 * and will charge what follows to another Java thread or none. */
void cost_collector_hand_over(void *collector, struct tracked_thread *thread);

/* Adds what threads have charged since the last dump to costs; with msa=y also what they have not
 * charged yet, and the time of parked virtual threads. virtual_calls: NULL without vthreads=y.
 * Under the dump lock. */
void cost_collector_collect(struct cost_collector *collector, struct tracker *tracker,
                            struct virtual_calls *virtual_calls);

/* A new section begins. Under the dump lock. */
void cost_collector_reset(struct cost_collector *collector);

#endif
