/*
 * call_graph.c: see call_graph.h. The lock covers the hash of nodes by methods, the list
 * of nodes by index, changes to lines and tables, and the arena; within it, that of the ranges.
 */
#include "calls/call_graph.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/pointer_list.h"
#include "calls/call_ranges.h"
#include "calls/tracker_words.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

/* The size of the largest table of callees. Callees beyond that share places; when Java
 * code finds another callee in a place, it calls native code, which finds the node by the
 * hash. */
enum { PLACES_MAX = 1024 };

#define CALLEES_BYTES (CALL_NODES_MAX * sizeof(_Atomic uint64_t))
#define LINES_BYTES (CALL_NODES_MAX * sizeof(struct call_line))

/* The number of nodes that there is memory for at first; doubled when it is used up. */
enum { ROOM_FIRST = 8192 };

#define EMPTY_PLACE UINT64_MAX

/* The table of nodes without callees. It belongs to no graph: nodes of ended graphs refer
 * to it for the life of the process. */
static struct call_table no_callees = {.places = {EMPTY_PLACE}};

_Static_assert(CALL_METHOD_NONE == EMPTY_PLACE >> 32, "no callee has this method");

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
	uint32_t first;               /* index of the root */
	struct pointer_list by_index; /* of struct call_node, from first on */
	struct call_node *root;
	uint32_t room;             /* nodes that the three below have memory for */
	struct call_line *lines;   /* by index: call_graph_lines() */
	_Atomic uint64_t *callees; /* by index: call_graph_callees() */
	struct call_ranges *ranges;
	_Atomic uint32_t end_index;
	call_method *path; /* buffer, depth long */
	_Atomic int failed;
};

/* ---- tables of callees ------------------------------------------------- */

static struct call_table *table_of(uint64_t word)
{
	return (struct call_table *)callees_word_table(word);
}

static _Atomic uint64_t *place_of(uint64_t word, call_method method)
{
	return &table_of(word)->places[method & callees_word_mask(word)];
}

/* The word for a table; 0 when the address does not fit. */
static uint64_t word_of(const struct call_table *table, uint32_t places)
{
	uint64_t word = callees_word((uintptr_t)table, places);
	return table_of(word) == table ? word : 0;
}

static uint64_t no_callees_word(void)
{
	return word_of(&no_callees, 1);
}

/* The word for a new table; 0 without memory or when the address does not fit. */
static uint64_t new_table(struct call_graph *graph, uint32_t places)
{
	struct call_table *table = arena_allocate(&graph->arena, places * sizeof(table->places[0]));
	uint64_t word = table == NULL ? 0 : word_of(table, places);
	if (word == 0)
		return 0;
	for (uint32_t i = 0; i < places; i++)
		atomic_init(&table->places[i], EMPTY_PLACE);
	return word;
}

static struct call_node *new_node(struct call_graph *graph, const call_method *methods,
                                  uint32_t depth)
{
	size_t bytes = depth * sizeof(call_method);
	struct call_node *node = arena_allocate(&graph->arena, sizeof(*node) + bytes);
	if (node == NULL)
		return NULL;
	node->method = depth > 0 ? methods[0] : CALL_METHOD_NONE;
	node->index = graph->first + (uint32_t)graph->by_index.count;
	node->depth = depth;
	if (depth > 0)
		memcpy(node->methods, methods, bytes);
	return node;
}

static bool add_room(struct call_graph *graph, uint32_t nodes)
{
	return os_pages_commit(graph->lines, nodes * sizeof(graph->lines[0])) &&
	       os_pages_commit(graph->callees, nodes * sizeof(graph->callees[0])) &&
	       call_ranges_make_room(graph->ranges, nodes);
}

/* Memory for the node with that index. */
static bool make_room(struct call_graph *graph, uint32_t index)
{
	uint32_t room = graph->room == 0 ? ROOM_FIRST : graph->room;

	while (room <= index)
		room *= 2;
	if (room != graph->room && !add_room(graph, room))
		return false;
	graph->room = room;
	return true;
}

/* No callee is found from that node. */
static void clear_callees(struct call_graph *graph, uint32_t index)
{
	for (int i = 0; i < CALL_LINE_PLACES; i++)
		atomic_store_explicit(&graph->lines[index].places[i], EMPTY_PLACE,
		                      memory_order_relaxed);
	atomic_store(&graph->callees[index], no_callees_word());
}

/* Adds the node with these methods; NULL without memory or at the limit of nodes. */
static struct call_node *add_node(struct call_graph *graph, const call_method *methods,
                                  uint32_t depth)
{
	if (graph->first + graph->by_index.count >= CALL_NODES_MAX ||
	    !make_room(graph, graph->first + (uint32_t)graph->by_index.count) ||
	    !pointer_list_reserve(&graph->by_index))
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
	clear_callees(graph, entry->node->index);
	pointer_list_append(&graph->by_index, entry->node);
	atomic_store(&graph->end_index, entry->node->index + 1);
	return entry->node;
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
	graph->lines = os_pages_reserve(LINES_BYTES);
	graph->callees = os_pages_reserve(CALLEES_BYTES);
	graph->ranges = call_ranges_create(CALL_NODES_MAX);
	if (graph->lines == NULL || graph->callees == NULL || graph->ranges == NULL ||
	    no_callees_word() == 0 || !call_graph_begin(graph, depth)) {
		call_graph_destroy(graph);
		return NULL;
	}
	return graph;
}

bool call_graph_begin(struct call_graph *graph, uint32_t depth)
{
	os_mutex_lock(&graph->lock);
	graph->depth = depth;
	graph->path = calloc(depth, sizeof(*graph->path));
	graph->root = graph->path == NULL ? NULL : add_node(graph, NULL, 0);
	bool begun = graph->root != NULL;
	os_mutex_unlock(&graph->lock);
	return begun;
}

/* Frees everything except the arena. */
static void free_nodes(struct call_graph *graph)
{
	HASH_FREE_ALL(graph->nodes);
	pointer_list_free(&graph->by_index);
	free(graph->path);
	graph->path = NULL;
	graph->root = NULL;
}

/* The index of the next root. It is the first of a block, so that old and new nodes
 * do not share one. When half of the indexes are used, they start at 0 again. */
static uint32_t next_first(const struct call_graph *graph)
{
	uint64_t end = (uint64_t)graph->first + graph->by_index.count + CALL_INDEX_ALIGNMENT - 1;
	uint64_t first = end - end % CALL_INDEX_ALIGNMENT;
	return first <= CALL_NODES_MAX / 2 ? (uint32_t)first : 0;
}

void call_graph_end(struct call_graph *graph)
{
	os_mutex_lock(&graph->lock);
	uint32_t first = next_first(graph);
	for (size_t i = 0; i < graph->by_index.count; i++)
		clear_callees(graph, graph->first + (uint32_t)i);
	free_nodes(graph);
	/* Java code may still be about to read a table. */
	arena_discard(&graph->arena);
	graph->first = first;
	atomic_store(&graph->failed, 0);
	os_mutex_unlock(&graph->lock);
}

void call_graph_destroy(struct call_graph *graph)
{
	if (graph == NULL)
		return;
	free_nodes(graph);
	arena_free(&graph->arena);
	os_pages_free(graph->callees, CALLEES_BYTES);
	os_pages_free(graph->lines, LINES_BYTES);
	call_ranges_destroy(graph->ranges);
	os_mutex_destroy(&graph->lock);
	free(graph);
}

const struct call_node *call_graph_root(const struct call_graph *graph)
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

/* Whether the callees of a table, and one more, get distinct places in a table with that
 * mask. */
static bool fit(uint64_t word, call_method method, uint32_t mask)
{
	bool is_occupied[PLACES_MAX] = {false};

	is_occupied[method & mask] = true;
	for (uint32_t i = 0; i <= callees_word_mask(word); i++) {
		uint64_t place = atomic_load(&table_of(word)->places[i]);
		if (place == EMPTY_PLACE)
			continue;
		if (is_occupied[(place >> 32) & mask])
			return false;
		is_occupied[(place >> 32) & mask] = true;
	}
	return true;
}

static void put(uint64_t word, uint64_t place)
{
	atomic_store_explicit(place_of(word, (call_method)(place >> 32)), place,
	                      memory_order_release);
}

/* The word for a larger table with the same callees; 0 without memory. */
static uint64_t grow_table(struct call_graph *graph, uint64_t word, call_method method)
{
	uint32_t places = word == no_callees_word() ? 1 : (callees_word_mask(word) + 1) * 2;
	while (places < PLACES_MAX && !fit(word, method, places - 1))
		places *= 2;
	uint64_t grown = new_table(graph, places);
	for (uint32_t i = 0; grown != 0 && i <= callees_word_mask(word); i++) {
		uint64_t place = atomic_load(&table_of(word)->places[i]);
		if (place != EMPTY_PLACE)
			put(grown, place);
	}
	return grown;
}

/* Enters the callee into its caller's line, if the place there is free. */
static bool enter_line(struct call_graph *graph, const struct call_node *caller, uint64_t place)
{
	struct call_line *line = &graph->lines[caller->index];
	_Atomic uint64_t *in_line = &line->places[(place >> 32) % CALL_LINE_PLACES];
	uint64_t current = atomic_load(in_line);

	if (current == EMPTY_PLACE)
		atomic_store_explicit(in_line, place, memory_order_release);
	return current == EMPTY_PLACE || current == place;
}

/* Enters the callee into its caller's line or table, where Java code finds it. Without memory it
 * is not entered, and native code finds it each time. */
static void connect(struct call_graph *graph, const struct call_node *caller,
                    const struct call_node *callee)
{
	uint64_t word = atomic_load(&graph->callees[caller->index]);
	uint64_t current = atomic_load(place_of(word, callee->method));
	uint64_t place = (uint64_t)callee->method << 32 | callee->index;

	if (current == place || enter_line(graph, caller, place))
		return;
	if (word == no_callees_word() ||
	    (current != EMPTY_PLACE && callees_word_mask(word) + 1 < PLACES_MAX)) {
		uint64_t grown = grow_table(graph, word, callee->method);
		if (grown == 0)
			return;
		put(grown, place);
		atomic_store_explicit(&graph->callees[caller->index], grown, memory_order_release);
		return;
	}
	put(word, place);
}

const struct call_node *call_graph_find_callee(struct call_graph *graph,
                                               const struct call_node *caller, call_method method)
{
	os_mutex_lock(&graph->lock);
	const struct call_node *callee = find_or_add_node(graph, caller, method);
	if (callee != NULL) {
		connect(graph, caller, callee);
	} else {
		atomic_store(&graph->failed, 1);
		callee = graph->root;
	}
	os_mutex_unlock(&graph->lock);
	return callee;
}

const struct call_line *call_graph_lines(const struct call_graph *graph)
{
	return graph->lines;
}

const _Atomic uint64_t *call_graph_callees(const struct call_graph *graph)
{
	return graph->callees;
}

int call_graph_has_failed(struct call_graph *graph)
{
	return atomic_load(&graph->failed);
}

const struct call_node *call_graph_node(struct call_graph *graph, uint32_t index)
{
	const struct call_node *node = NULL;

	os_mutex_lock(&graph->lock);
	if (index >= graph->first && index - graph->first < graph->by_index.count)
		node = graph->by_index.items[index - graph->first];
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

uint32_t call_graph_end_index(const struct call_graph *graph)
{
	return atomic_load(&graph->end_index);
}

struct call_ranges *call_graph_ranges(const struct call_graph *graph)
{
	return graph->ranges;
}
