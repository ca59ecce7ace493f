/*
 * pairs.c: see pairs.h.
 */
#include "gate/pairs.h"

#include <stdlib.h>
#include <string.h>

void pairs_init(struct pairs *pairs)
{
	*pairs = (struct pairs){.pairs = NULL};
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->pairs);
}

bool pairs_add(struct pairs *pairs, const struct stack_tree *tree, uint32_t node, enum side side,
               uint64_t value)
{
	if (node >= pairs->capacity) {
		/* As many as the tree has room for, so that both grow by the same factor. */
		uint32_t capacity = tree->capacity;
		struct pair *larger = realloc(pairs->pairs, (size_t)capacity * sizeof(*larger));
		if (larger == NULL)
			return false;
		memset(larger + pairs->capacity, 0,
		       (size_t)(capacity - pairs->capacity) * sizeof(*larger));
		pairs->pairs = larger;
		pairs->capacity = capacity;
	}
	uint64_t *sum = &pairs->pairs[node].of[side];
	*sum = report_sum(*sum, value);
	return true;
}

struct pair pairs_get(const struct pairs *pairs, uint32_t node)
{
	static const struct pair none;
	return node < pairs->capacity ? pairs->pairs[node] : none;
}
