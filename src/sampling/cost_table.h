/*
 * cost_table.h: what each trace cost, sorted, summed and cut off for a section
 * of the output. A profile mode fills one at each dump. No locks; a table
 * belongs to one thread at a time.
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

/* Adds count to what the trace cost so far; a count of 0 adds nothing. Sums stop
 * at UINT64_MAX. The trace is only referred to. False without memory. */
bool cost_table_add(struct cost_table *table, const struct trace *trace, uint64_t count);

/* The sum of all counts, of rows that are cut off too. */
uint64_t cost_table_total(const struct cost_table *table);

/* Sorts the rows by count, the highest first, and those of one count by trace
 * serial. *row_count says how many of them are no less than cutoff (a share of
 * the total, 0 to 1). The rows are the table's, until it is added to or
 * destroyed. */
const struct cost_row *cost_table_rank(struct cost_table *table, double cutoff, size_t *row_count);

#endif
