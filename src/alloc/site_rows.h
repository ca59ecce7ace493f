/*
 * site_rows.h: the rows of a SITES section or ALLOC SITES record: their selection and
 * order.
 */
#ifndef HPROF_ALLOC_SITE_ROWS_H
#define HPROF_ALLOC_SITE_ROWS_H

#include "hprof/records.h"

/* Puts into the record the rows whose share of its sums is its cutoff or more,
 * in its order. rows stay the caller's, reordered. */
void site_rows_rank(struct sites_record *record, struct site_row *rows, size_t count);

#endif
