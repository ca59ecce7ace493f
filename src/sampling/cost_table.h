/*
 * cost_table.h: the cost of each trace, summed, sorted and cut off for a section of
 * the output. A mode fills a new table at each dump. No lock: a table belongs to one
 * thread at a time.
 */
#ifndef HPROF_SAMPLING_COST_TABLE_H
#define HPROF_SAMPLING_COST_TABLE_H

#include "hprof/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cost_table;

/* An empty table, or NULL without memory. */
struct cost_table *cost_table_create(void);
void cost_table_destroy(struct cost_table *table);

/* Adds count to the trace's cost; a count of 0 adds no row. Sums saturate at
 * UINT64_MAX. The trace must outlive the table. False without memory. */
bool cost_table_add(struct cost_table *table, const struct trace *trace, uint64_t count);

/* The sum of all counts, including rows that are cut off. */
uint64_t cost_table_total(const struct cost_table *table);

/* Sorts the rows by count, highest first, then by trace serial. *row_count is the
 * number of rows whose count is at least cutoff, a share of the total from 0 to 1.
 * Returns the rows, which the table owns and which are valid until a row is added or
 * the table is destroyed; NULL when there are none. */
const struct cost_row *cost_table_rank(struct cost_table *table, double cutoff, size_t *row_count);

#endif
