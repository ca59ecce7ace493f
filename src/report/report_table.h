/*
 * report_table.h: prints the sections of a profile as tables; each row has the frames of its
 * trace. One thread; no lock.
 */
#ifndef HPROF_REPORT_REPORT_TABLE_H
#define HPROF_REPORT_REPORT_TABLE_H

#include "console/output.h"
#include "report/report_profile.h"

struct table_visitor {
	struct report_visitor base;
	struct output *output;
	size_t rows_max;     /* limit for each section; 0: none */
	uint32_t frames_max; /* limit for each row; 0: none */
	uint64_t sections;
};

/* Initializes a visitor that writes to output, which the caller owns. */
void table_visitor_init(struct table_visitor *visitor, struct output *output, size_t rows_max);

#endif
