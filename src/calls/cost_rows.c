/*
 * cost_rows.c: see cost_rows.h.
 */
#include "calls/cost_rows.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static size_t row_words(unsigned kinds)
{
	return 1 + (size_t)kinds;
}

static uint32_t node_at(const struct cost_rows *rows, unsigned kinds, size_t place)
{
	return (uint32_t)rows->words[place * row_words(kinds)];
}

uint64_t *cost_rows_at(const struct cost_rows *rows, unsigned kinds, size_t place, uint32_t *node)
{
	*node = node_at(rows, kinds, place);
	return &rows->words[place * row_words(kinds) + 1];
}

void cost_rows_clear(struct cost_rows *rows)
{
	free(rows->words);
	*rows = (struct cost_rows){0};
}

/* The place of the node's row, or of the first one after it. */
static size_t find(const struct cost_rows *rows, unsigned kinds, uint32_t node)
{
	size_t from = 0;
	size_t to = rows->count;

	if (rows->last < to && node_at(rows, kinds, rows->last) < node) {
		from = rows->last + 1;
		if (from == to || node_at(rows, kinds, from) >= node)
			return from;
	}
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (node_at(rows, kinds, middle) < node)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

bool cost_rows_add(struct cost_rows *rows, unsigned kinds, uint32_t node,
                   const uint64_t amounts[COST_KINDS])
{
	size_t place = find(rows, kinds, node);
	size_t size = row_words(kinds);

	if (place == rows->count || node_at(rows, kinds, place) != node) {
		if (!array_grow(&rows->words, &rows->capacity, rows->count,
		                size * sizeof(uint64_t)))
			return false;
		uint64_t *row = &rows->words[place * size];
		memmove(row + size, row, (rows->count - place) * size * sizeof(*row));
		memset(row, 0, size * sizeof(*row));
		row[0] = node;
		rows->count++;
	}
	uint64_t *costs = &rows->words[place * size + 1];
	for (unsigned kind = 0; kind < kinds; kind++)
		costs[kind] += amounts[kind];
	rows->last = place;
	return true;
}
