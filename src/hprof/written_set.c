/*
 * written_set.c: a bitset that grows with the highest id. Ids are dense, so each takes
 * one bit.
 */
#include "hprof/written_set.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64u
#define FIRST_WORDS 64u

void written_set_init(struct written_set *set)
{
	*set = (struct written_set){0};
}

void written_set_free(struct written_set *set)
{
	free(set->words);
	written_set_init(set);
}

static bool grow(struct written_set *set, size_t word)
{
	size_t count = set->word_count ? set->word_count : FIRST_WORDS;
	while (count <= word) {
		if (count > SIZE_MAX / 2 / sizeof(*set->words))
			return false;
		count *= 2;
	}

	uint64_t *words = realloc(set->words, count * sizeof(*words));
	if (!words)
		return false;
	memset(words + set->word_count, 0, (count - set->word_count) * sizeof(*words));
	set->words = words;
	set->word_count = count;
	return true;
}

enum written written_set_add(struct written_set *set, uint32_t id)
{
	size_t word = id / WORD_BITS;
	uint64_t bit = UINT64_C(1) << (id % WORD_BITS);

	if (word >= set->word_count && !grow(set, word))
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
