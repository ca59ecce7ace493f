/*
 * cost_table.c: an array of rows. Adding appends a row; rows of the same trace are
 * merged when the table is ranked.
 */
#include "sampling/cost_table.h"

#include "base/array.h"

#include <stdlib.h>

struct cost_table {
	struct cost_row *rows;
	size_t row_count;
	size_t capacity;
	uint64_t total;
};

struct cost_table *cost_table_create(void)
{
	return calloc(1, sizeof(struct cost_table));
}

void cost_table_destroy(struct cost_table *table)
{
	if (!table)
		return;
	free(table->rows);
	free(table);
}

static uint64_t add_saturating(uint64_t sum, uint64_t count)
{
	return count > UINT64_MAX - sum ? UINT64_MAX : sum + count;
}

bool cost_table_add(struct cost_table *table, const struct trace *trace, uint64_t count)
{
	if (count == 0)
		return true;
	if (!array_grow(&table->rows, &table->capacity, table->row_count, sizeof(*table->rows)))
		return false;
	table->rows[table->row_count++] = (struct cost_row){.trace = trace, .count = count};
	table->total = add_saturating(table->total, count);
	return true;
}

uint64_t cost_table_total(const struct cost_table *table)
{
	return table->total;
}

static int by_serial(const void *left, const void *right)
{
	const struct cost_row *a = left;
	const struct cost_row *b = right;
	return (a->trace->serial > b->trace->serial) - (a->trace->serial < b->trace->serial);
}

static int by_cost(const void *left, const void *right)
{
	const struct cost_row *a = left;
	const struct cost_row *b = right;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return by_serial(left, right);
}

/* Leaves one row per trace. */
static void merge_rows(struct cost_table *table)
{
	size_t kept = 0;

	qsort(table->rows, table->row_count, sizeof(*table->rows), by_serial);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct cost_row row = table->rows[i];
		if (kept > 0 && table->rows[kept - 1].trace->serial == row.trace->serial) {
			struct cost_row *merged = &table->rows[kept - 1];
			merged->count = add_saturating(merged->count, row.count);
		} else {
			table->rows[kept++] = row;
		}
	}
	table->row_count = kept;
}

const struct cost_row *cost_table_rank(struct cost_table *table, double cutoff, size_t *row_count)
{
	*row_count = 0;
	if (table->row_count == 0)
		return NULL;

	merge_rows(table);
	qsort(table->rows, table->row_count, sizeof(*table->rows), by_cost);
	while (*row_count < table->row_count &&
	       (double)table->rows[*row_count].count / (double)table->total >= cutoff)
		++*row_count;
	return table->rows;
}
