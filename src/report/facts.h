/*
 * facts.h: reads the facts of a profile from its notes. One thread; no lock.
 */
#ifndef HPROF_REPORT_FACTS_H
#define HPROF_REPORT_FACTS_H

#include "report/report_profile.h"

/* Takes a line that begins with "NOTE: "; notes that have no fact are left alone. False when out
 * of memory. */
bool facts_add_note(struct report_profile *profile, const char *line, size_t length);

/* Whether facts_add_note() takes the fact of this line: the summary of the report has it. */
bool facts_has_note(const char *line, size_t length);

#endif
