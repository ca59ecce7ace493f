/*
 * call_graph.h: the call graph of cpu=times and cpu=old. A node represents the innermost
 * depth open calls, which is what a trace shows; a call leads from the caller's node to
 * the callee's. All threads share the graph, which only grows.
 *
 * Instrumented Java code (java/lang/HprofTracker) walks it without a lock: whatever can
 * be reached is fully initialized. It refers to nodes by index and reads only tables of
 * callees, so that a call touches little memory. Nodes and tables are added under the
 * graph's lock.
 */
#ifndef HPROF_CALLS_CALL_GRAPH_H
#define HPROF_CALLS_CALL_GRAPH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of an instrumented method, from 0. */
typedef uint32_t call_method;

/* The method number of the root; no method has it. */
#define CALL_METHOD_NONE UINT32_MAX

/* The maximum number of nodes. */
enum { CALL_NODES_MAX = 1 << 23 };

/* The root's index is a multiple of this. */
enum { CALL_INDEX_ALIGNMENT = 512 };

/* The first callees of a node: in one cache line, at a fixed place for each caller. The low bits of
 * a callee's method are its place. HprofTracker.java depends on the layout. */
enum { CALL_LINE_PLACES = 8 };

struct call_line {
	_Atomic uint64_t places[CALL_LINE_PLACES]; /* as those of struct call_table */
};

/* The other callees, whose place in the line another one has; the low bits of a callee's method
 * are its place. When two callees share a place, a larger table replaces this one, up to a limit;
 * old tables stay valid for threads that still read them. HprofTracker.java depends on the layout
 * of places and of the words that refer to tables. */
struct call_table {
	/* The callee's method in the upper half, its index in the lower half. The method of
	 * an empty place is CALL_METHOD_NONE. */
	_Atomic uint64_t places[1];
};

struct call_node {
	call_method method;    /* the innermost open call */
	uint32_t index;        /* consecutive, from that of the root, which is 0 at first */
	uint32_t depth;        /* number of methods */
	call_method methods[]; /* the open calls, innermost first */
};

struct call_graph;
struct call_ranges;

/* A graph whose nodes distinguish the innermost depth calls (at least 1). NULL without
 * memory. */
struct call_graph *call_graph_create(uint32_t depth);
void call_graph_destroy(struct call_graph *graph);

/* call_graph_end() frees all nodes, when only Java code may still use their indexes: no
 * callee is found from these. call_graph_begin() adds a root whose index no node had
 * before, unless half of all indexes have been used. Between the two only
 * call_graph_destroy() may be called. call_graph_begin() returns false without memory;
 * then call call_graph_end() again. */
void call_graph_end(struct call_graph *graph);
bool call_graph_begin(struct call_graph *graph, uint32_t depth);

/* The node without an open call. */
const struct call_node *call_graph_root(const struct call_graph *graph);

/* The node for a call of method from caller, added if necessary. Without memory or past
 * CALL_NODES_MAX it is the root, so that there is always a node to continue with, and
 * call_graph_has_failed() is true from then on. Any thread; takes the graph's lock. */
const struct call_node *call_graph_find_callee(struct call_graph *graph,
                                               const struct call_node *caller, call_method method);
int call_graph_has_failed(struct call_graph *graph);

/* The node with that index, or NULL, also for an index of an ended graph. Any thread;
 * takes the graph's lock. */
const struct call_node *call_graph_node(struct call_graph *graph, uint32_t index);

/* The lines of callees, by index of the caller. As below. */
const struct call_line *call_graph_lines(const struct call_graph *graph);

/* The words that refer to tables of callees (tracker_words.h), by index of the caller. Valid for
 * every node that can be reached; at the same address for the life of the graph. */
const _Atomic uint64_t *call_graph_callees(const struct call_graph *graph);

/* The number of nodes. Any thread; takes the graph's lock. */
uint32_t call_graph_size(struct call_graph *graph);

/* No node has this index or a later one. Any thread; no lock. */
uint32_t call_graph_end_index(const struct call_graph *graph);

/* The memory of threads' states: with room for each node of the graph. */
struct call_ranges *call_graph_ranges(const struct call_graph *graph);

#endif
