/*
 * call_graph.c: see call_graph.h. The lock covers the hash of nodes by their
 * methods, the list by index, the making of tables and the arena.
 */
#include "profile/call_graph.h"

#include "model/hash.h"
#include "model/pointer_list.h"
#include "os/os.h"
#include "profile/arena.h"

#include <stdlib.h>
#include <string.h>

/* Places of the largest table of callees. Nodes with more than that share places,
 * and whoever finds another's callee there comes here. */
enum { PLACES_MAX = 1024 };

_Static_assert(offsetof(struct call_node, method) == 0 && offsetof(struct call_node, index) == 4 &&
                       offsetof(struct call_node, callees) == 8 &&
                       offsetof(struct call_table, mask) == 0 &&
                       offsetof(struct call_table, places) == 8,
               "HprofTracker.java knows these offsets");

struct node_entry {
	struct call_node *node;
	bool hash_failed;
	UT_hash_handle hh;
};

struct call_graph {
	struct os_mutex lock;
	uint32_t depth;
	struct arena arena; /* of nodes and tables */
	struct node_entry *nodes;
	struct pointer_list by_index; /* of struct call_node */
	struct call_node *root;
	struct call_table *no_callees; /* of all nodes that have none yet */
	call_method *path;             /* scratch, depth long */
	_Atomic int failed;
};

static struct call_table *new_table(struct call_graph *graph, uint32_t places)
{
	size_t bytes = sizeof(struct call_table) + places * sizeof(_Atomic(struct call_node *));
	struct call_table *table = arena_take(&graph->arena, bytes);
	if (table == NULL)
		return NULL;
	table->mask = places - 1;
	for (uint32_t i = 0; i < places; i++)
		atomic_init(&table->places[i], graph->root);
	return table;
}

static struct call_node *new_node(struct call_graph *graph, const call_method *methods,
                                  uint32_t depth)
{
	size_t bytes = depth * sizeof(call_method);
	struct call_node *node = arena_take(&graph->arena, sizeof(*node) + bytes);
	if (node == NULL)
		return NULL;
	node->method = depth > 0 ? methods[0] : CALL_METHOD_NONE;
	node->index = (uint32_t)graph->by_index.count;
	node->depth = depth;
	if (depth > 0)
		memcpy(node->methods, methods, bytes);
	atomic_init(&node->callees, graph->no_callees);
	return node;
}

/* Adds the node with these methods; NULL without memory or when there are too
 * many. */
static struct call_node *add_node(struct call_graph *graph, const call_method *methods,
                                  uint32_t depth)
{
	if (graph->by_index.count == CALL_NODES_MAX || !pointer_list_reserve(&graph->by_index))
		return NULL;
	struct node_entry *entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return NULL;
	entry->node = new_node(graph, methods, depth);
	if (entry->node != NULL)
		HASH_ADD_KEYPTR(hh, graph->nodes, entry->node->methods,
		                (unsigned)(depth * sizeof(call_method)), entry);
	if (entry->node == NULL || entry->hash_failed) {
		free(entry);
		return NULL;
	}
	pointer_list_append(&graph->by_index, entry->node);
	return entry->node;
}

/* The root and the empty table refer to each other. */
static bool make_root(struct call_graph *graph)
{
	graph->root = add_node(graph, NULL, 0);
	if (graph->root == NULL)
		return false;
	graph->no_callees = new_table(graph, 1);
	if (graph->no_callees == NULL)
		return false;
	atomic_store(&graph->root->callees, graph->no_callees);
	return true;
}

struct call_graph *call_graph_create(uint32_t depth)
{
	struct call_graph *graph = calloc(1, sizeof(*graph));
	if (graph == NULL)
		return NULL;
	if (os_mutex_init(&graph->lock) != 0) {
		free(graph);
		return NULL;
	}
	graph->depth = depth;
	graph->path = calloc(depth, sizeof(*graph->path));
	if (graph->path == NULL || !make_root(graph)) {
		call_graph_destroy(graph);
		return NULL;
	}
	return graph;
}

void call_graph_destroy(struct call_graph *graph)
{
	if (graph == NULL)
		return;
	HASH_FREE_ALL(graph->nodes);
	pointer_list_free(&graph->by_index);
	arena_free(&graph->arena);
	free(graph->path);
	os_mutex_destroy(&graph->lock);
	free(graph);
}

struct call_node *call_graph_root(struct call_graph *graph)
{
	return graph->root;
}

static struct call_node *find_or_add_node(struct call_graph *graph, const struct call_node *caller,
                                          call_method method)
{
	uint32_t depth = caller->depth < graph->depth ? caller->depth + 1 : graph->depth;
	struct node_entry *entry;

	graph->path[0] = method;
	if (depth > 1)
		memcpy(graph->path + 1, caller->methods, (depth - 1) * sizeof(graph->path[0]));
	HASH_FIND(hh, graph->nodes, graph->path, depth * sizeof(graph->path[0]), entry);
	return entry != NULL ? entry->node : add_node(graph, graph->path, depth);
}

/* Whether the callees of table and one more each have a place of their own in a
 * table of that mask. */
static bool fit(const struct call_graph *graph, struct call_table *table, call_method method,
                uint32_t mask)
{
	bool taken[PLACES_MAX] = {false};

	taken[method & mask] = true;
	for (uint32_t i = 0; i <= table->mask; i++) {
		struct call_node *node = atomic_load(&table->places[i]);
		if (node == graph->root)
			continue;
		if (taken[node->method & mask])
			return false;
		taken[node->method & mask] = true;
	}
	return true;
}

static void put(struct call_table *table, struct call_node *callee)
{
	atomic_store_explicit(&table->places[callee->method & table->mask], callee,
	                      memory_order_release);
}

/* A larger table with the callees of the old one; the old one without memory. */
static struct call_table *grow_table(struct call_graph *graph, struct call_table *table,
                                     call_method method)
{
	uint32_t places = graph->no_callees == table ? 1 : (table->mask + 1) * 2;
	while (places < PLACES_MAX && !fit(graph, table, method, places - 1))
		places *= 2;
	struct call_table *grown = new_table(graph, places);
	if (grown == NULL)
		return table;
	for (uint32_t i = 0; i <= table->mask; i++) {
		struct call_node *node = atomic_load(&table->places[i]);
		if (node != graph->root)
			put(grown, node);
	}
	return grown;
}

/* Makes the callee found from its caller by itself. Without memory it is not:
 * it is then found here each time. */
static void connect(struct call_graph *graph, struct call_node *caller, struct call_node *callee)
{
	struct call_table *table = atomic_load(&caller->callees);
	struct call_node *there = atomic_load(&table->places[callee->method & table->mask]);

	if (there == callee)
		return;
	if (table == graph->no_callees || (there != graph->root && table->mask + 1 < PLACES_MAX)) {
		struct call_table *grown = grow_table(graph, table, callee->method);
		if (grown == table)
			return;
		put(grown, callee);
		atomic_store_explicit(&caller->callees, grown, memory_order_release);
		return;
	}
	put(table, callee);
}

struct call_node *call_graph_callee(struct call_graph *graph, struct call_node *caller,
                                    call_method method)
{
	os_mutex_lock(&graph->lock);
	struct call_node *callee = find_or_add_node(graph, caller, method);
	if (callee != NULL) {
		connect(graph, caller, callee);
	} else {
		atomic_store(&graph->failed, 1);
		callee = graph->root;
	}
	os_mutex_unlock(&graph->lock);
	return callee;
}

int call_graph_failed(struct call_graph *graph)
{
	return atomic_load(&graph->failed);
}

const struct call_node *call_graph_node(struct call_graph *graph, uint32_t index)
{
	const struct call_node *node = NULL;

	os_mutex_lock(&graph->lock);
	if (index < graph->by_index.count)
		node = graph->by_index.items[index];
	os_mutex_unlock(&graph->lock);
	return node;
}

uint32_t call_graph_size(struct call_graph *graph)
{
	os_mutex_lock(&graph->lock);
	uint32_t size = (uint32_t)graph->by_index.count;
	os_mutex_unlock(&graph->lock);
	return size;
}
