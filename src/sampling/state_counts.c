/*
 * state_counts.c: see state_counts.h.
 */
#include "sampling/state_counts.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool state_counts_add(struct state_counts *counts, const struct trace *trace,
                      const struct state_charge *charge)
{
	size_t index = trace->serial - TRACE_SERIAL_EMPTY;
	if (!array_cover(&counts->charges, &counts->capacity, index, sizeof(*counts->charges)))
		return false;
	struct state_charge *sum = &counts->charges[index];
	sum->samples += charge->samples;
	for (int i = 0; i < TRACE_STATES; i++)
		sum->ns[i] += charge->ns[i];
	return true;
}

void state_counts_clear(struct state_counts *counts)
{
	if (counts->capacity > 0)
		memset(counts->charges, 0, counts->capacity * sizeof(*counts->charges));
}

void state_counts_free(struct state_counts *counts)
{
	free(counts->charges);
	*counts = (struct state_counts){.charges = NULL};
}

static uint64_t wall_of(const struct state_charge *charge)
{
	uint64_t wall_ns = 0;
	for (int i = 0; i < TRACE_STATES; i++)
		wall_ns += charge->ns[i];
	return wall_ns;
}

static int by_wall(const void *one, const void *other)
{
	const struct trace_states_row *a = one;
	const struct trace_states_row *b = other;
	if (a->wall_ns != b->wall_ns)
		return a->wall_ns > b->wall_ns ? -1 : 1;
	return (a->trace->serial > b->trace->serial) - (a->trace->serial < b->trace->serial);
}

static size_t count_rows(const struct state_counts *counts)
{
	size_t count = 0;
	for (size_t i = 0; i < counts->capacity; i++)
		count += wall_of(&counts->charges[i]) > 0;
	return count;
}

static void fill_row(struct trace_states_row *row, const struct state_charge *charge,
                     const struct trace *trace, uint32_t known)
{
	*row = (struct trace_states_row){.trace = trace,
	                                 .calls = charge->samples,
	                                 .wall_ns = wall_of(charge),
	                                 .known = known};
	memcpy(row->ns, charge->ns, sizeof(row->ns));
}

struct trace_states_row *state_counts_rank(const struct state_counts *counts,
                                           struct trace_table *traces, uint32_t known,
                                           double cutoff, uint64_t *total_ns, size_t *row_count)
{
	struct trace_states_row *rows = calloc(count_rows(counts) + 1, sizeof(*rows));
	size_t count = 0;

	*total_ns = 0;
	if (rows == NULL)
		return NULL;
	for (size_t i = 0; i < counts->capacity; i++) {
		if (wall_of(&counts->charges[i]) == 0)
			continue;
		fill_row(&rows[count], &counts->charges[i],
		         trace_table_find(traces, TRACE_SERIAL_EMPTY + (uint32_t)i), known);
		*total_ns += rows[count++].wall_ns;
	}
	qsort(rows, count, sizeof(*rows), by_wall);
	while (count > 0 && (double)rows[count - 1].wall_ns < cutoff * (double)*total_ns)
		count--;
	*row_count = count;
	return rows;
}
