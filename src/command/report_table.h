/*
 * report_table.h: the sections of a profile as tables, each row with the frames of its
 * trace. One thread; no lock.
 */
#ifndef HPROF_COMMAND_REPORT_TABLE_H
#define HPROF_COMMAND_REPORT_TABLE_H

#include "command/output.h"
#include "command/report_profile.h"

struct table_visitor {
	struct report_visitor base;
	struct output *output;
	size_t rows_max; /* of a section; 0: all */
	uint64_t sections;
};

/* A visitor that writes to output, which stays the caller's. */
void table_visitor_init(struct table_visitor *visitor, struct output *output, size_t rows_max);

#endif
