/*
 * trace_counts.c: see trace_counts.h.
 */
#include "sampling/trace_counts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

static bool grow(struct trace_counts *counts, size_t index)
{
	size_t capacity = counts->capacity == 0 ? FIRST_CAPACITY : counts->capacity;
	while (capacity <= index)
		capacity *= 2;
	uint64_t *grown = realloc(counts->counts, capacity * sizeof(*grown));
	if (grown == NULL)
		return false;
	memset(grown + counts->capacity, 0, (capacity - counts->capacity) * sizeof(*grown));
	counts->counts = grown;
	counts->capacity = capacity;
	return true;
}

bool trace_counts_add(struct trace_counts *counts, const struct trace *trace, uint64_t count)
{
	size_t index = trace->serial - TRACE_SERIAL_EMPTY;
	if (index >= counts->capacity && !grow(counts, index))
		return false;
	counts->counts[index] += count;
	return true;
}

void trace_counts_clear(struct trace_counts *counts)
{
	if (counts->capacity > 0)
		memset(counts->counts, 0, counts->capacity * sizeof(*counts->counts));
}

void trace_counts_free(struct trace_counts *counts)
{
	free(counts->counts);
	counts->counts = NULL;
	counts->capacity = 0;
}
