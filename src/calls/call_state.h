/*
 * call_state.h: where one thread of the system is in the call graph, and what
 * its calls have cost so far. Written by the thread itself alone: by instrumented
 * Java code (java/lang/HprofTracker), by its CPU timer's handler (or the charger, charger.h),
 * and by the tracker's native methods. Others only read the costs, which only grow.
 *
 * Costs are kept by the index of their node, in chunks that are made when one of
 * their nodes is first entered and stay where they are.
 */
#ifndef HPROF_CALLS_CALL_STATE_H
#define HPROF_CALLS_CALL_STATE_H

#include "calls/call_graph.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	COST_CHUNK_NODES = 512, /* a power of two; HprofTracker.java knows it */
	COST_CHUNKS_MAX = CALL_NODES_MAX / COST_CHUNK_NODES
};

enum cost_kind {
	COST_CALLS,
	COST_CPU_NS,
	COST_OFF_CPU_NS, /* wall time less CPU time; msa=y only */
	COST_KINDS
};

/* A node's costs but COST_OFF_CPU_NS: in one line of the cache, since Java code that
 * writes one is about to write the other. */
struct cost_cell {
	_Atomic uint64_t calls;
	_Atomic uint64_t cpu_ns;
};

struct cost_chunk {
	struct cost_cell cells[COST_CHUNK_NODES]; /* HprofTracker.java knows where */
	_Atomic uint64_t off_cpu_ns[COST_CHUNK_NODES];
	uint64_t collected[COST_KINDS][COST_CHUNK_NODES]; /* by call_state_collect() */
};

/* By index of a node, divided by COST_CHUNK_NODES; NULL until needed. */
struct cost_chunks {
	_Atomic(struct cost_chunk *) at[COST_CHUNKS_MAX];
};

/* The offsets of the first five members are known to HprofTracker.java. */
struct call_state {
	_Atomic uint64_t open; /* call_state_open() */
	struct cost_chunks *chunks;

	/* For msa=y. Java code charges CPU time itself for as long as the thread runs
	 * without a break (os_cpu_clock_mark()), which advances wall_ns alone. */
	uint64_t wall_ns; /* the monotonic clock when time was last charged */
	uint64_t until_ns;
	const volatile uint64_t *word;

	/* The thread's CPU clock when time was last charged; with msa=y, when the
	 * monotonic clock was read_ns. */
	uint64_t cpu_ns;
	uint64_t read_ns;
	uint32_t root; /* index of the graph's */
};

/* What a state has for the open call's node and the node to which both clocks' time is
 * charged, that of the innermost open call that reads them. Of the bits above these
 * HprofTracker.java makes its own use. */
static inline uint64_t call_state_open(uint32_t node, uint32_t charged)
{
	return (uint64_t)charged << 32 | node;
}

/* A state at the graph's root. False without memory. */
bool call_state_init(struct call_state *state, struct call_graph *graph);
void call_state_free(struct call_state *state);

/* Gives the memory of the costs back, while Java code may still be about to write to
 * them, which does no harm. The state is to be freed later. */
void call_state_discard(struct call_state *state);

/* Makes the chunk of a node's index; on the state's own thread. False without
 * memory. */
bool call_state_add_chunk(struct call_state *state, uint32_t index);

/* Counts a call of the node, whose chunk is there; on the state's own thread. */
void call_state_count_call(struct call_state *state, uint32_t index);

/* Charges the CPU time since the last charge to the open call. Signal-safe. On the
 * state's own thread, or, where no timer does that, by one other thread. What can't
 * be charged now is charged next time. */
void call_state_charge_cpu(struct call_state *state, uint64_t cpu_now_ns);

/* Charges the time since the last charge by both clocks. False when more CPU time
 * has been charged already than the clock shows, by what interrupts took: what is
 * left out now makes up for it. */
bool call_state_charge_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns);

/* From now on both clocks' time is charged to the open call itself. On the state's own
 * thread. */
void call_state_charge_open(struct call_state *state);

/* The time up to now is charged to nothing. */
void call_state_skip_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns);

/* Told of the costs of a node since they were last taken. */
typedef bool call_state_visit_cost(void *argument, uint32_t index,
                                   const uint64_t costs[COST_KINDS]);

/* Takes all costs since the last time. By one thread at a time, the state's own
 * or another. Stops and answers false when cost does. */
bool call_state_collect(struct call_state *state, call_state_visit_cost *cost, void *argument);

#endif
