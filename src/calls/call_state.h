/*
 * call_state.h: the position of one native thread in the call graph, and the costs of its
 * calls so far. Only the thread itself writes it: instrumented Java code
 * (java/lang/HprofTracker), the handler of its CPU timer, and the tracker's native methods;
 * where there are no timers, the charger (charger.h) charges CPU time. Other threads read
 * the costs, which only grow.
 *
 * A state is a range of addresses (call_ranges.h) with the calls and CPU time of each node at a
 * fixed place, so that Java code counts a call without asking whether there is memory for it.
 * Costs of another kind are in blocks that are allocated when they are first needed.
 */
#ifndef HPROF_CALLS_CALL_STATE_H
#define HPROF_CALLS_CALL_STATE_H

#include "calls/call_graph.h"
#include "calls/call_ranges.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	CALL_BLOCK_NODES = 512, /* a power of two; the same in HprofTracker.java */
	CALL_BLOCKS = CALL_NODES_MAX / CALL_BLOCK_NODES
};

/* Where a thread's time off the CPU goes; msa=y only. */
enum off_cpu_state {
	OFF_LCK, /* waiting for a lock */
	OFF_SLP, /* asleep, and what nothing else explains */
	OFF_IO,  /* in a read or write */
	OFF_TFL, /* waiting for pages of code, */
	OFF_DFL, /* and of data: where the system accounts that, otherwise in OFF_SLP */
	OFF_LAT, /* waiting for a CPU */
	OFF_STW, /* stopped by the VM */
	OFF_CPU_STATES
};

enum cost_kind {
	COST_CALLS,
	COST_CPU_NS,
	/* With msa=y only: wall-clock time less CPU time, and its parts. */
	COST_OFF_CPU_NS,
	COST_STATES_NS, /* the first of OFF_CPU_STATES */
	COST_CHARGED_KINDS = COST_STATES_NS + OFF_CPU_STATES,

	/* What a state has no count of, for those who collect: CPU time including that of
	 * calls in progress, and the sum of it and the states. */
	COST_USR_NS = COST_CHARGED_KINDS,
	COST_WALL_NS,
	COST_UNQUEUED_NS, /* the part of threads whose waits for a CPU are not known */
	COST_KINDS
};

/* Time off the CPU of the nodes of a block. Without states, a block ends before these. */
struct off_cpu_block {
	_Atomic uint64_t ns[CALL_BLOCK_NODES];
	_Atomic uint64_t states_ns[CALL_BLOCK_NODES][OFF_CPU_STATES];
};

/* What was collected of the nodes of a block, by call_state_collect(). */
struct collected_block {
	uint64_t calls[CALL_BLOCK_NODES];
	uint64_t cpu_ns[CALL_BLOCK_NODES];
	uint64_t off_cpu_ns[CALL_BLOCK_NODES];
	uint64_t states_ns[CALL_BLOCK_NODES][OFF_CPU_STATES];
};

/* What is known of a block's costs. Java code writes BLOCK_IS_NEW with each count. */
enum { BLOCK_IS_EMPTY, BLOCK_IS_NEW, BLOCK_IS_HANDED_OVER };

/* HprofTracker.java depends on the offsets of open, wall_ns, until_ns, word, blocks, calls and
 * cpu_ns. */
struct call_state {
	union {
		struct {
			_Atomic uint64_t open; /* call_state_open() */

			/* For msa=y. While the thread runs without interruption
			 * (os_cpu_clock_mark()), Java code charges CPU time itself, which advances
			 * only wall_ns. */
			_Atomic uint64_t wall_ns; /* monotonic clock when time was last charged */
			uint64_t until_ns;
			const volatile uint64_t *word;

			/* The thread's CPU clock when call_state_charge_cpu() last charged. */
			_Atomic uint64_t charged_cpu_ns;

			/* The same for call_state_charge_both(), when the monotonic clock was at
			 * read_ns. */
			_Atomic uint64_t read_cpu_ns;
			_Atomic uint64_t read_ns;
			struct call_graph *graph;
			uint32_t root;    /* index of the graph's root */
			bool only_breaks; /* call_state_charge_only_breaks() was called */
			bool has_states;  /* its blocks have states_ns */
		};
		char head[CALL_PART_BYTES];
	};
	union {
		struct {
			_Atomic unsigned char blocks[CALL_BLOCKS]; /* BLOCK_IS_EMPTY, ... */
			struct off_cpu_block *_Atomic off_cpu[CALL_BLOCKS]; /* NULL until needed */
			struct collected_block *collected[CALL_BLOCKS];     /* as well */
		};
		char parts[CALL_HEAD_BYTES - CALL_PART_BYTES];
	};
	_Atomic uint64_t calls[CALL_NODES_MAX];
	_Atomic uint64_t cpu_ns[CALL_NODES_MAX];
};

/* The open word of a state: the node of the open call, and the node to which the time of
 * both clocks is charged, that of the innermost open call that reads the clocks.
 * HprofTracker.java uses the bits above these. */
static inline uint64_t call_state_open(uint32_t node, uint32_t charged)
{
	return (uint64_t)charged << 32 | node;
}

/* A state at the graph's root. has_states: time off the CPU is charged by state, too. NULL
 * without memory. */
struct call_state *call_state_create(struct call_graph *graph, bool has_states);

/* Of the time of both clocks only that off the CPU is charged, and to the open call; CPU time is
 * charged by call_state_charge_cpu(). Once, before the state is used. */
void call_state_charge_only_breaks(struct call_state *state);

/* NULL is fine. */
void call_state_free(struct call_state *state);

/* Returns the memory of the costs to the system, while Java code may still write to them
 * (without effect). The state must be freed later. */
void call_state_discard(struct call_state *state);

/* Puts the position and costs of a state, whose thread has not called it yet, into an earlier state
 * of the thread, whose address its frames may have, and frees the former. On the thread. Returns
 * the earlier one, or state if that is NULL. */
struct call_state *call_state_take_over(struct call_state *state, struct call_state *earlier);

/* Time off the CPU can be charged to a node after this. On the state's thread. False without
 * memory. */
bool call_state_add_off_cpu(struct call_state *state, uint32_t index);

/* Counts a call of the node. On the state's thread. */
void call_state_count_call(struct call_state *state, uint32_t index);

/* Charges the CPU time since the last charge to the open call. Async-signal-safe. On the
 * state's thread or, without timers, on one other thread. */
void call_state_charge_cpu(struct call_state *state, uint64_t cpu_now_ns);

/* Divides ns, a time off the CPU that is charged now, among the states. */
typedef void call_state_explain(void *argument, uint64_t ns, uint64_t states_ns[OFF_CPU_STATES]);

/* Charges the time since the last such charge by both clocks, and no more than has passed by the
 * wall clock: CPU time beyond that is charged next time. explain is called, with argument, if some
 * of the time was off the CPU and the state has states. False when Java code has charged more CPU
 * time than the clock shows, since interrupts took some of it; the excess is subtracted from later
 * charges; or when call_state_add_off_cpu() was not called for the node, so that all is charged
 * later. On the state's thread. */
bool call_state_charge_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns,
                            call_state_explain *explain, void *argument);

/* The open call's node, and the one that time of both clocks is charged to now. On the state's
 * thread. */
uint32_t call_state_open_node(const struct call_state *state);
uint32_t call_state_charged_node(const struct call_state *state);

/* os_monotonic_ns() up to which time is charged, with both clocks. Any thread: costs that are
 * collected after it have that time. */
uint64_t call_state_charged_ns(const struct call_state *state);

/* Other calls are open from now on: those of that open word. On the state's thread. */
void call_state_set_position(struct call_state *state, uint64_t open);

/* Charges time off the CPU that is not the state's thread's, but of a virtual thread on it, to a
 * node after call_state_add_off_cpu(). On the state's thread; the state has states. */
void call_state_charge_wait(struct call_state *state, uint32_t index, enum off_cpu_state off_cpu,
                            uint64_t ns);

/* Time that is not charged yet, and the node that it would be charged to now. With only breaks, no
 * CPU time: the next expiration charges that. */
struct uncharged_time {
	uint32_t node;
	uint64_t since_ns; /* monotonic clock when time was last charged */
	uint64_t cpu_ns;
	uint64_t off_cpu_ns;
};

/* Reads that time, by both clocks as they are now. Any thread. False when the state's thread
 * was just charging time, so that there is hardly any. */
bool call_state_uncharged(const struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns,
                          struct uncharged_time *time);

/* The time of both clocks is charged to the open call itself from now on. On the state's
 * thread. */
void call_state_charge_open(struct call_state *state);

/* Discards the time up to now. */
void call_state_skip_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns);

/* Receives the costs of a node since they were last collected; those after
 * COST_CHARGED_KINDS are 0. */
typedef bool call_state_visit_cost(void *argument, uint32_t index,
                                   const uint64_t costs[COST_KINDS]);

/* Calls visit with the costs of each node since the last collection, if there are any. By
 * one thread at a time, the state's or another. Stops and returns false when visit does, or without
 * memory. */
bool call_state_collect(struct call_state *state, call_state_visit_cost *visit, void *argument);

/* The same where the owner of the costs changes: from now on they belong to another Java thread.
 * The next call of either function searches only the blocks to which costs were added since. On
 * the state's thread, or when that has ended. */
bool call_state_hand_over(struct call_state *state, call_state_visit_cost *visit, void *argument);

#endif
