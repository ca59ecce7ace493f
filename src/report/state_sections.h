/*
 * state_sections.h: a visitor that passes all on, and after a SECTION_STATES a section for each of
 * its states: the times in that state by trace. One thread; no lock.
 */
#ifndef HPROF_REPORT_STATE_SECTIONS_H
#define HPROF_REPORT_STATE_SECTIONS_H

#include "report/report_profile.h"

struct state_sections {
	struct report_visitor base;
	struct report_visitor *to; /* owned by the caller */
	bool out_of_memory;        /* reading ended because of it */
};

void state_sections_init(struct state_sections *sections, struct report_visitor *to);

#endif
