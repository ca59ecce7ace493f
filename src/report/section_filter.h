/*
 * section_filter.h: a visitor between the reader and another visitor, which gets only the stacks
 * that match. The costs of the others are a row of their own. One thread; no lock.
 */
#ifndef HPROF_REPORT_SECTION_FILTER_H
#define HPROF_REPORT_SECTION_FILTER_H

#include "report/name_matcher.h"
#include "report/report_profile.h"

/* Name of the row for the stacks that were left out. */
#define SECTION_FILTERED_NAME "[filtered out]"

struct section_filter {
	struct report_visitor base;
	struct report_visitor *inner;
	struct name_matcher keep; /* without an expression: all stacks */
	struct name_matcher ignore;
	struct address_map traces; /* by number of a trace: what it matches */
	bool out_of_memory;        /* reading ended because of it */
};

/* Initializes a filter that passes on the stacks which have a name that matches keep, and none
 * that matches ignore; NULL: all of them. Names are those of methods, of the thread, and of the
 * class of a site or monitor. The expressions and inner belong to the caller. */
void section_filter_init(struct section_filter *filter, struct report_visitor *inner,
                         const struct os_regex *keep, const struct os_regex *ignore);
void section_filter_free(struct section_filter *filter);

#endif
