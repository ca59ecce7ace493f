/*
 * cost_rows.h: the costs of one thread's calls by node, in little memory: there can be many
 * threads. The rows are an array in the order of their nodes, without the kinds of cost that the
 * program's clocks do not measure. No lock: the owner locks it.
 */
#ifndef HPROF_CALLS_COST_ROWS_H
#define HPROF_CALLS_COST_ROWS_H

#include "calls/call_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Empty when all bytes are 0. */
struct cost_rows {
	uint64_t *words; /* of each row: its node, then a cost of each kind */
	size_t count;
	size_t capacity;
	size_t last; /* where the last costs were added: those of the next node may follow */
};

/* Adds to the costs of a node; only the first kinds, of COST_KINDS, which must be the same for
 * all calls. Fastest in the order of nodes. False without memory. */
bool cost_rows_add(struct cost_rows *rows, unsigned kinds, uint32_t node,
                   const uint64_t amounts[COST_KINDS]);

/* The row at a place below count: its costs, of the first kinds, which the caller may change;
 * *node is set. */
uint64_t *cost_rows_at(const struct cost_rows *rows, unsigned kinds, size_t place, uint32_t *node);

/* Removes all rows and frees their memory. */
void cost_rows_clear(struct cost_rows *rows);

#endif
