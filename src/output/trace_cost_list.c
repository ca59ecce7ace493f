/*
 * trace_cost_list.c: see trace_cost_list.h. Adding appends; the rows of a trace are merged
 * when the list is written.
 */
#include "output/trace_cost_list.h"

#include "base/array.h"

#include <stdlib.h>

bool trace_cost_list_add(struct trace_cost_list *list, const struct trace *trace, uint64_t ns,
                         uint64_t count)
{
	if (ns == 0 && count == 0)
		return true;
	if (!array_grow(&list->rows, &list->capacity, list->count, sizeof(*list->rows)))
		return false;
	list->rows[list->count++] =
	        (struct trace_cost_row){.trace = trace, .ns = ns, .count = count};
	return true;
}

static int by_serial(const void *left, const void *right)
{
	const struct trace_cost_row *a = left;
	const struct trace_cost_row *b = right;
	return (a->trace->serial > b->trace->serial) - (a->trace->serial < b->trace->serial);
}

/* Sorts the rows and leaves one per trace. Returns their sum in ns. */
static uint64_t merge(struct trace_cost_list *list)
{
	uint64_t total_ns = 0;
	size_t kept = 0;

	if (list->count > 0)
		qsort(list->rows, list->count, sizeof(*list->rows), by_serial);
	for (size_t i = 0; i < list->count; i++) {
		const struct trace_cost_row row = list->rows[i];
		total_ns += row.ns;
		if (kept > 0 && by_serial(&list->rows[kept - 1], &row) == 0) {
			list->rows[kept - 1].ns += row.ns;
			list->rows[kept - 1].count += row.count;
		} else {
			list->rows[kept++] = row;
		}
	}
	list->count = kept;
	return total_ns;
}

void trace_cost_list_write(struct trace_cost_list *list, struct record_writer *writer)
{
	struct trace_costs_record record = {
	        .section = list->section,
	        .wall_ms = os_wall_ms(),
	        .total_ns = merge(list),
	        .row_count = list->count,
	        .rows = list->rows,
	};
	writer_trace_costs(writer, &record);
}

void trace_cost_list_free(struct trace_cost_list *list)
{
	free(list->rows);
	list->rows = NULL;
	list->count = 0;
	list->capacity = 0;
}
