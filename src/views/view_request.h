/*
 * view_request.h: a profile to read, and what of it is selected. One thread; no lock.
 */
#ifndef HPROF_VIEWS_VIEW_REQUEST_H
#define HPROF_VIEWS_VIEW_REQUEST_H

#include "console/input.h"
#include "os/os_programs.h"
#include "report/method_costs.h"

/* What `hprof report` prints as text: the summary and hot methods with or without the tables by
 * trace, these alone, costs by a group alone, a tree of calls, or times by state. */
enum profile_view { VIEW_ALL, VIEW_SUMMARY, VIEW_TRACES, VIEW_COSTS, VIEW_TREE, VIEW_STATES };

/* What of a profile is written. */
struct profile_selection {
	bool kind_given; /* false: the first kind with stacks, or all where a format has room */
	enum section_kind kind; /* one with stacks */
	bool states;            /* with a section for each state of TRACE MICROSTATES */
	bool last;              /* the last section of a kind, not the sum of all */
	bool threads;           /* stacks by thread */
	size_t top;             /* rows of each table; 0: all */
	/* Stacks with a name that matches keep, and none that matches ignore; NULL: all. */
	const struct os_regex *keep;
	const struct os_regex *ignore;
	/* Of the text alone: */
	enum profile_view view;
	enum method_group group;
	bool inverted;      /* VIEW_TREE: callees above their callers */
	double least_share; /* of a line in VIEW_TREE, from 0 to 1 */
	const struct os_regex
	        *below; /* VIEW_TREE: stacks begin with a method that matches; NULL: all */
};

struct view_request {
	struct input *input; /* owned by the caller; read once */
	const char *input_name;
	struct profile_selection selection;
};

/* Reads the request's profile, and passes on what its selection keeps. False after printing an
 * error, unless the visitor ended the reading. */
bool view_request_read(const struct view_request *request, struct report_profile *profile,
                       struct report_visitor *visitor);

#endif
