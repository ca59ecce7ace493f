/*
 * trace_cost_list.h: collects the rows of a TRACE COSTS section. No lock: a list belongs to one
 * thread at a time.
 */
#ifndef HPROF_OUTPUT_TRACE_COST_LIST_H
#define HPROF_OUTPUT_TRACE_COST_LIST_H

#include "hprof/records.h"
#include "output/record_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts zeroed, except for section. */
struct trace_cost_list {
	enum cost_section section;
	struct trace_cost_row *rows;
	size_t count;
	size_t capacity;
};

/* Adds to the cost of a trace, which must outlive the list. A cost of 0 ns and a count of 0 add
 * nothing. False without memory. */
bool trace_cost_list_add(struct trace_cost_list *list, const struct trace *trace, uint64_t ns,
                         uint64_t count);

/* Writes the section. */
void trace_cost_list_write(struct trace_cost_list *list, struct record_writer *writer);

void trace_cost_list_free(struct trace_cost_list *list);

#endif
