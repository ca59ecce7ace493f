/*
 * pairs.h: values of an old and of a new profile for the nodes of a stack tree. One thread; no
 * lock.
 */
#ifndef HPROF_GATE_PAIRS_H
#define HPROF_GATE_PAIRS_H

#include "report/stack_tree.h"

#include <stdbool.h>
#include <stdint.h>

enum side { SIDE_OLD, SIDE_NEW, SIDES };

struct pair {
	uint64_t of[SIDES];
};

struct pairs {
	struct pair *pairs; /* by node: its own values, without those of its descendants */
	size_t capacity;
};

/* Initializes values of 0; allocates nothing. */
void pairs_init(struct pairs *pairs);
void pairs_free(struct pairs *pairs);

/* Adds to the value of a node. False when out of memory. */
bool pairs_add(struct pairs *pairs, uint32_t node, enum side side, uint64_t value);

/* The values of a node. */
struct pair pairs_get(const struct pairs *pairs, uint32_t node);

/* By how much the values differ. */
static inline uint64_t pair_change(struct pair pair)
{
	return pair.of[SIDE_NEW] > pair.of[SIDE_OLD] ? pair.of[SIDE_NEW] - pair.of[SIDE_OLD]
	                                             : pair.of[SIDE_OLD] - pair.of[SIDE_NEW];
}

#endif
