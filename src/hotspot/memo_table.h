/*
 * memo_table.h: nodes that are looked up by a parent node and two words, and are never
 * removed: a path of nodes represents a stack, a node a class. Lookups take no lock;
 * adding takes the table's lock. Any thread.
 */
#ifndef HPROF_HOTSPOT_MEMO_TABLE_H
#define HPROF_HOTSPOT_MEMO_TABLE_H

#include "hotspot/code_cache.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A CPU cache line. */
struct memo_node {
	const struct memo_node *parent;
	uintptr_t first;
	uintptr_t second;
	struct code_place code; /* for nodes that are code */
	_Atomic uint32_t epoch; /* of the value; see memo_value() */
	_Atomic bool stale;     /* not found any more */
	_Atomic(const void *) value;
};

struct memo_table;

/* Creates a table for at most that number of nodes. NULL if out of memory. */
struct memo_table *memo_table_create(size_t nodes_max);
void memo_table_destroy(struct memo_table *table);

/* The node, or NULL. */
struct memo_node *memo_find(struct memo_table *table, const struct memo_node *parent,
                            uintptr_t first, uintptr_t second);

/* The node, added with that code if it does not exist. NULL if out of memory or if the
 * table is full. */
struct memo_node *memo_add(struct memo_table *table, const struct memo_node *parent,
                           uintptr_t first, uintptr_t second, const struct code_place *code);

/* Makes lookups skip the node; the next added node for its key replaces it. */
void memo_forget(struct memo_node *node);

/* The node's value if it was set in that epoch (in any, for 0), or NULL. */
const void *memo_value(const struct memo_node *node, uint32_t epoch);

/* epoch is not 0. Nothing, if the node has a value of a later one: its setter was faster. */
void memo_set_value(struct memo_table *table, struct memo_node *node, uint32_t epoch,
                    const void *value);

size_t memo_count(struct memo_table *table);

#endif
