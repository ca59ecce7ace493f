/*
 * pairs.c: see pairs.h.
 */
#include "gate/pairs.h"

#include "base/array.h"

#include <stdlib.h>

void pairs_init(struct pairs *pairs)
{
	*pairs = (struct pairs){.pairs = NULL};
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->pairs);
}

bool pairs_add(struct pairs *pairs, uint32_t node, enum side side, uint64_t value)
{
	if (!array_cover(&pairs->pairs, &pairs->capacity, node, sizeof(*pairs->pairs)))
		return false;
	uint64_t *sum = &pairs->pairs[node].of[side];
	*sum = report_sum(*sum, value);
	return true;
}

struct pair pairs_get(const struct pairs *pairs, uint32_t node)
{
	static const struct pair none;
	return node < pairs->capacity ? pairs->pairs[node] : none;
}
