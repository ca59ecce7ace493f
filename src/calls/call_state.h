/*
 * call_state.h: the position of one native thread in the call graph, and the costs of its
 * calls so far. Only the thread itself writes it: instrumented Java code
 * (java/lang/HprofTracker), the handler of its CPU timer, and the tracker's native methods;
 * where there are no timers, the charger (charger.h) charges CPU time. Other threads read
 * the costs, which only grow.
 *
 * Costs are indexed by node, in chunks that are allocated when one of their nodes is first
 * entered and never move.
 */
#ifndef HPROF_CALLS_CALL_STATE_H
#define HPROF_CALLS_CALL_STATE_H

#include "calls/call_graph.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	COST_CHUNK_NODES = 512, /* a power of two; the same in HprofTracker.java */
	COST_CHUNKS_MAX = CALL_NODES_MAX / COST_CHUNK_NODES
};

enum cost_kind {
	COST_CALLS,
	COST_CPU_NS,
	COST_OFF_CPU_NS, /* wall-clock time less CPU time; msa=y only */
	COST_KINDS
};

/* A node's costs except COST_OFF_CPU_NS. In one cache line, since Java code that writes one
 * soon writes the other. */
struct cost_cell {
	_Atomic uint64_t calls;
	_Atomic uint64_t cpu_ns;
};

struct cost_chunk {
	struct cost_cell cells[COST_CHUNK_NODES]; /* HprofTracker.java depends on the offset */
	_Atomic uint64_t off_cpu_ns[COST_CHUNK_NODES];
	uint64_t collected[COST_KINDS][COST_CHUNK_NODES]; /* by call_state_collect() */
};

/* Indexed by node index divided by COST_CHUNK_NODES; NULL until needed. */
struct cost_chunks {
	_Atomic(struct cost_chunk *) at[COST_CHUNKS_MAX];
};

/* HprofTracker.java depends on the offsets of the first five members. */
struct call_state {
	_Atomic uint64_t open; /* call_state_open() */
	struct cost_chunks *chunks;

	/* For msa=y. While the thread runs without interruption (os_cpu_clock_mark()), Java
	 * code charges CPU time itself, which advances only wall_ns. */
	uint64_t wall_ns; /* monotonic clock when time was last charged */
	uint64_t until_ns;
	const volatile uint64_t *word;

	/* The thread's CPU clock when time was last charged; with msa=y, when the monotonic
	 * clock was at read_ns. */
	uint64_t cpu_ns;
	uint64_t read_ns;
	uint32_t root; /* index of the graph's root */
};

/* The open word of a state: the node of the open call, and the node to which the time of
 * both clocks is charged, that of the innermost open call that reads the clocks.
 * HprofTracker.java uses the bits above these. */
static inline uint64_t call_state_open(uint32_t node, uint32_t charged)
{
	return (uint64_t)charged << 32 | node;
}

/* A state at the graph's root. False without memory. */
bool call_state_init(struct call_state *state, struct call_graph *graph);
void call_state_free(struct call_state *state);

/* Returns the memory of the costs to the system, while Java code may still write to them
 * (without effect). The state must be freed later. */
void call_state_discard(struct call_state *state);

/* Allocates the chunk for a node if it does not exist. On the state's thread. False
 * without memory. */
bool call_state_add_chunk(struct call_state *state, uint32_t index);

/* Counts a call of the node, whose chunk exists. On the state's thread. */
void call_state_count_call(struct call_state *state, uint32_t index);

/* Charges the CPU time since the last charge to the open call. Async-signal-safe. On the
 * state's thread or, without timers, on one other thread. Time that can't be charged now,
 * since the chunk does not exist, is charged the next time. */
void call_state_charge_cpu(struct call_state *state, uint64_t cpu_now_ns);

/* Charges the time since the last charge by both clocks. False when Java code has charged
 * more CPU time than the clock shows, since interrupts took some of it; the excess is
 * subtracted from later charges. On the state's thread. */
bool call_state_charge_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns);

/* The time of both clocks is charged to the open call itself from now on. On the state's
 * thread. */
void call_state_charge_open(struct call_state *state);

/* Discards the time up to now. */
void call_state_skip_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns);

/* Receives the costs of a node since they were last collected. */
typedef bool call_state_visit_cost(void *argument, uint32_t index,
                                   const uint64_t costs[COST_KINDS]);

/* Calls visit with the costs of each node since the last collection, if there are any. By
 * one thread at a time, the state's or another. Stops and returns false when visit does. */
bool call_state_collect(struct call_state *state, call_state_visit_cost *visit, void *argument);

#endif
