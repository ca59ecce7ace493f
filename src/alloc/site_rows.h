/*
 * site_rows.h: the rows of a SITES section or ALLOC SITES record: which of them it has, and
 * in which order.
 */
#ifndef HPROF_ALLOC_SITE_ROWS_H
#define HPROF_ALLOC_SITE_ROWS_H

#include "hprof/records.h"

/* Gives the record those of the count rows whose share of its sums is its cutoff or more,
 * sorted as it says. rows stay the caller's, in another order. */
void site_rows_rank(struct sites_record *record, struct site_row *rows, size_t count);

#endif
