/*
 * page_columns.h: the data of a page as bytes, in the order in which script/data.js reads them:
 * numbers of page_pack.h, arrays by column, names at the end. One thread; no lock.
 */
#ifndef HPROF_PAGE_PAGE_COLUMNS_H
#define HPROF_PAGE_PAGE_COLUMNS_H

#include "base/byte_buffer.h"
#include "page/page_data.h"
#include "report/report_profile.h"

#include <stdbool.h>

/* Where the data is from. */
struct page_source {
	const struct report_profile *profile;
	const char *name;                 /* of its file */
	const struct report_profile *old; /* NULL: nothing is compared */
	const char *old_name;
	bool is_scaled; /* the page begins with old costs scaled to equal totals */
};

/* Appends all of it. data must be finished. False when out of memory. */
bool page_pack_data(const struct page_data *data, const struct page_source *source,
                    struct byte_buffer *out);

#endif
