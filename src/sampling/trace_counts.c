/*
 * trace_counts.c: see trace_counts.h.
 */
#include "sampling/trace_counts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static bool grow(struct trace_counts *counts, size_t index)
{
	size_t room = counts->room == 0 ? FIRST_ROOM : counts->room;
	while (room <= index)
		room *= 2;
	uint64_t *grown = realloc(counts->counts, room * sizeof(*grown));
	if (grown == NULL)
		return false;
	memset(grown + counts->room, 0, (room - counts->room) * sizeof(*grown));
	counts->counts = grown;
	counts->room = room;
	return true;
}

bool trace_counts_add(struct trace_counts *counts, const struct trace *trace, uint64_t count)
{
	size_t index = trace->serial - TRACE_SERIAL_EMPTY;
	if (index >= counts->room && !grow(counts, index))
		return false;
	counts->counts[index] += count;
	return true;
}

void trace_counts_clear(struct trace_counts *counts)
{
	if (counts->room > 0)
		memset(counts->counts, 0, counts->room * sizeof(*counts->counts));
}

void trace_counts_free(struct trace_counts *counts)
{
	free(counts->counts);
	counts->counts = NULL;
	counts->room = 0;
}
