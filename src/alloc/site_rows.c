/*
 * site_rows.c: see site_rows.h. Pure.
 */
#include "alloc/site_rows.h"

#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
	return a == b ? 0 : a < b ? 1 : -1;
}

static int by_identity(const struct site_row *a, const struct site_row *b)
{
	if (a->trace->serial != b->trace->serial)
		return a->trace->serial > b->trace->serial ? 1 : -1;
	return (a->class->serial > b->class->serial) - (a->class->serial < b->class->serial);
}

static int by_live_bytes(const void *left, const void *right)
{
	const struct site_row *a = left;
	const struct site_row *b = right;
	int order = compare(a->live_bytes, b->live_bytes);
	if (order == 0)
		order = compare(a->allocated_bytes, b->allocated_bytes);
	return order == 0 ? by_identity(a, b) : order;
}

static int by_allocated_bytes(const void *left, const void *right)
{
	const struct site_row *a = left;
	const struct site_row *b = right;
	int order = compare(a->allocated_bytes, b->allocated_bytes);
	return order == 0 ? by_identity(a, b) : order;
}

/* Drops rows below the cutoff, before they are sorted. Returns how many are
 * left. */
static size_t cut_off(const struct sites_record *record, struct site_row *rows, size_t count)
{
	const struct site_row *sums = &record->sums;
	double total = (double)(record->by_allocation ? sums->allocated_bytes : sums->live_bytes);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t bytes =
		        record->by_allocation ? rows[i].allocated_bytes : rows[i].live_bytes;
		if (total == 0 || (double)bytes / total >= record->cutoff)
			rows[kept++] = rows[i];
	}
	return kept;
}

void site_rows_rank(struct sites_record *record, struct site_row *rows, size_t count)
{
	record->rows = rows;
	record->row_count = cut_off(record, rows, count);
	qsort(rows, record->row_count, sizeof(*rows),
	      record->by_allocation ? by_allocated_bytes : by_live_bytes);
}
