/*
 * call_graph.h: where calls can be, for cpu=times and cpu=old. A node stands for
 * the innermost depth open calls, which is just what a trace shows; calling a
 * method leads from its caller's node to the callee's. The graph is shared by
 * all threads and only grows.
 *
 * Instrumented Java code walks it (java/lang/HprofTracker) without a lock: what
 * can be reached is complete. It knows nodes by their index and reads nothing but
 * tables of callees, so that a call touches little memory. Making something takes
 * the graph's lock.
 */
#ifndef HPROF_CALLS_CALL_GRAPH_H
#define HPROF_CALLS_CALL_GRAPH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that stands for an instrumented method; from 0. */
typedef uint32_t call_method;

/* The root's, which no method has. */
#define CALL_METHOD_NONE UINT32_MAX

/* More nodes than this are not made. */
enum { CALL_NODES_MAX = 1 << 23 };

/* The root's index is a multiple of this. */
enum { CALL_INDEX_ALIGNMENT = 512 };

/* The callees of a node, each at the place that its method's low bits say. Where two
 * callees share a place the table is replaced by a larger one, up to a limit; old
 * ones stay for those who still read them. The form of places, and of the words by
 * which tables are found, is known to HprofTracker.java. */
struct call_table {
	/* A callee's method in the upper half, its index in the lower. An empty place has
	 * CALL_METHOD_NONE. */
	_Atomic uint64_t places[1];
};

struct call_node {
	call_method method;    /* the innermost open call */
	uint32_t index;        /* dense, from the root's, which is 0 at first */
	uint32_t depth;        /* of methods */
	call_method methods[]; /* the open calls, innermost first */
};

struct call_graph;

/* A graph whose nodes tell depth calls apart (at least 1). NULL without memory. */
struct call_graph *call_graph_create(uint32_t depth);
void call_graph_destroy(struct call_graph *graph);

/* Frees all nodes, when only Java code still knows their indexes, which are those of
 * no node from then on: nothing is found from them. call_graph_begin() makes a root
 * with an index that no node had before, unless half of all indexes have been used. No
 * other call but call_graph_destroy() between the two. False without memory; then
 * call_graph_end() again. */
void call_graph_end(struct call_graph *graph);
bool call_graph_begin(struct call_graph *graph, uint32_t depth);

/* No open call. */
const struct call_node *call_graph_root(const struct call_graph *graph);

/* The node that calling method from caller leads to, made if need be. Without
 * memory, or past CALL_NODES_MAX, the root, so that a caller always has a node to go on with, and
 * call_graph_has_failed() is true from then on. Any thread; takes the graph's lock. */
const struct call_node *call_graph_find_callee(struct call_graph *graph,
                                               const struct call_node *caller, call_method method);
int call_graph_has_failed(struct call_graph *graph);

/* The node with that index, or NULL, also for one that was.  Any thread; takes the graph's lock. */
const struct call_node *call_graph_node(struct call_graph *graph, uint32_t index);

/* By index of a node, the word that tells where its callees are: its upper 16 bits
 * are the table's places less one, the others, with their sign, its address. There
 * for every node that can be reached, at the same address for the graph's life. */
const _Atomic uint64_t *call_graph_callees(const struct call_graph *graph);

/* How many nodes there are. Any thread; takes the graph's lock. */
uint32_t call_graph_size(struct call_graph *graph);

#endif
