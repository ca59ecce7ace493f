/*
 * row_top.h: what a row adds on top of its stack: the allocated class, or the monitor. One
 * thread; no lock.
 */
#ifndef HPROF_REPORT_ROW_TOP_H
#define HPROF_REPORT_ROW_TOP_H

#include "report/report_profile.h"

/* Whether rows of that kind have anything on top of their stacks. */
bool section_has_tops(enum section_kind kind);

/* The name of it, for a kind that has it; NULL when out of memory. */
const struct string *report_row_top(const struct report_profile *profile, enum section_kind kind,
                                    const struct section_row *row);

#endif
