/*
 * format.h: a format in which the command writes profiles, and the row of each, which is in the
 * file that writes it. Constant.
 */
#ifndef HPROF_VIEWS_FORMAT_H
#define HPROF_VIEWS_FORMAT_H

#include "console/output.h"
#include "views/view_request.h"

struct profile_format {
	const char *suffix;
	/* A file that the agent itself writes: 'a' text, 'b' binary; 0: none. */
	char agent_format;
	bool is_tables; /* rows without their stacks as a tree */
	/* Reads the request's input and writes all of the output. False after printing an error;
	 * errors of the output are printed by output_close(). NULL: only the agent writes it. */
	bool (*write)(const struct view_request *request, struct output *output);
	/* What to do with a file of it, for console_print_written(). NULL: hprof report reads it if
	 * the agent writes it. */
	const char *next_step;
	const char *library;  /* that writing requires; NULL: none */
	const bool *is_built; /* whether this build has it; NULL: always */
};

/* Text; a tree of calls; the page; and stacks with their lines for other programs. */
extern const struct profile_format profile_format_tables;
extern const struct profile_format profile_format_collapsed;
extern const struct profile_format profile_format_flame;
extern const struct profile_format profile_format_page;
extern const struct profile_format profile_format_pprof;
extern const struct profile_format profile_format_speedscope;
extern const struct profile_format profile_format_firefox;

/* What the text has, for programs: chosen by an option, not by a suffix (json_reports.h). */
extern const struct profile_format profile_format_json;

#endif
