/*
 * written_set.c: a bitset that grows with the highest id. Ids are dense, so each takes
 * one bit.
 */
#include "hprof/written_set.h"

#include "base/array.h"

#include <stdlib.h>

#define WORD_BITS 64u

void written_set_init(struct written_set *set)
{
	*set = (struct written_set){0};
}

void written_set_free(struct written_set *set)
{
	free(set->words);
	written_set_init(set);
}

enum written written_set_add(struct written_set *set, uint32_t id)
{
	size_t word = id / WORD_BITS;
	uint64_t bit = UINT64_C(1) << (id % WORD_BITS);

	if (!array_cover(&set->words, &set->word_count, word, sizeof(*set->words)))
		return WRITTEN_NO_MEMORY;
	if (set->words[word] & bit)
		return WRITTEN_BEFORE;
	set->words[word] |= bit;
	return WRITTEN_NEVER;
}

bool written_set_has(const struct written_set *set, uint32_t id)
{
	size_t word = id / WORD_BITS;
	return word < set->word_count && (set->words[word] >> (id % WORD_BITS) & 1) != 0;
}
