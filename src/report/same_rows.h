/*
 * same_rows.h: passes a section that has been read to the visitor. Rows that only unstable names
 * distinguished (stable_name.h) are added up first. One thread; no lock.
 */
#ifndef HPROF_REPORT_SAME_ROWS_H
#define HPROF_REPORT_SAME_ROWS_H

#include "report/report_profile.h"

/* Adds up rows of one name and one stack: costs and counts exactly; what they lack to the total
 * stays. The rows are sorted again if there were any. False when out of memory; the section is as
 * it was then. */
bool same_rows_add_up(const struct report_profile *profile, struct report_section *section);

#endif
