/*
 * difference_page.h: the page that compares two profiles, of `hprof diff -o x.html`. One thread;
 * no lock.
 */
#ifndef HPROF_VIEWS_DIFFERENCE_PAGE_H
#define HPROF_VIEWS_DIFFERENCE_PAGE_H

#include "gate/pairs.h"
#include "page/page_data.h"

#include <stdbool.h>

struct difference_page {
	const char *names[SIDES]; /* of the profiles' files */
	const char *output;
	struct page_selection selection;
	bool is_scaled; /* the page begins with old costs scaled to equal totals */
};

enum difference_page_result { PAGE_WRITTEN, PAGE_NOTHING_IN_COMMON, PAGE_FAILED };

/* PAGE_FAILED after printing an error. */
enum difference_page_result difference_page_write(const struct difference_page *page);

#endif
