/*
 * page.h: a profile as one HTML file that shows it in a browser without a network. One thread;
 * no lock.
 */
#ifndef HPROF_PAGE_PAGE_H
#define HPROF_PAGE_PAGE_H

#include "console/output.h"
#include "page/page_data.h"
#include "report/report_profile.h"

#include <stdbool.h>

/* Pass it to a reader of report_profile.h, then write the page. */
struct page_visitor {
	struct report_visitor base;
	struct page_data data;
	const struct report_profile *old; /* NULL: nothing is compared */
	const char *old_name;
	bool is_scaled;
	bool out_of_memory; /* why reading ended */
};

/* profile is the one that page_write() gets. False when out of memory; page_visitor_free() must
 * be called in either case. */
bool page_visitor_init(struct page_visitor *visitor, const struct report_profile *profile,
                       const struct page_selection *selection);
void page_visitor_free(struct page_visitor *visitor);

/* For a page that compares two profiles: call it before an old profile is read, which must live
 * until the page is written, and page_visitor_begin_new() before the new one is read. is_scaled:
 * the page begins with old costs scaled so that both totals are equal. */
void page_visitor_begin_old(struct page_visitor *visitor, const struct report_profile *old,
                            const char *name, bool is_scaled);
void page_visitor_begin_new(struct page_visitor *visitor);

/* Whether the profile had anything that the page shows; of two, both had it. */
bool page_has_data(const struct page_visitor *visitor);

/* Writes the page of what the visitor received. name is that of the profile's file and is shown
 * if the profile does not name its program. To be called once. False when out of memory or the
 * output failed. */
bool page_write(struct page_visitor *visitor, const struct report_profile *profile,
                const char *name, struct output *output);

#endif
