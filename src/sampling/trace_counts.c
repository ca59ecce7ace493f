/*
 * trace_counts.c: see trace_counts.h.
 */
#include "sampling/trace_counts.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool trace_counts_add(struct trace_counts *counts, const struct trace *trace, uint64_t count)
{
	size_t index = trace->serial - TRACE_SERIAL_EMPTY;
	if (!array_cover(&counts->counts, &counts->capacity, index, sizeof(*counts->counts)))
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
