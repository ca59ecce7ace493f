/*
 * profile_plan.h: what `hprof run` and `hprof attach` profile and where it goes: decided and
 * checked before a JVM is started or touched. Pure, except for its messages.
 */
#ifndef HPROF_SESSION_PROFILE_PLAN_H
#define HPROF_SESSION_PROFILE_PLAN_H

#include "session/profile_modes.h"
#include "views/formats.h"

enum { PLAN_OPTIONS_MAX = 4096 };

/* From the command line; NULL where it has none. */
struct plan_request {
	const char *mode;
	const char *output;
	const char *options;
};

struct profile_plan {
	const struct profile_mode *mode;     /* NULL: one of options, without a word */
	char options[PLAN_OPTIONS_MAX];      /* of the agent, without file= */
	const char *output;                  /* NULL: a kept profile and a summary */
	const struct profile_format *format; /* of output; NULL if that is the agent's file */
	bool is_binary;
	bool is_compressed; /* what the agent writes: by the suffix of output, or if it is large */
};

/* Whether the result is a file that the agent writes, not one that is made of it. */
static inline bool profile_plan_is_agents_file(const struct profile_plan *plan)
{
	return plan->format == NULL;
}

/* Whether the agent's options can contain the path. */
bool profile_plan_takes_path(const char *path);

/* Checks options of the agent. False after printing an error of the command line. */
bool profile_plan_check_options(const char *options);

/* Makes the plan. False after printing an error of the command line. */
bool profile_plan_make(const struct plan_request *request, struct profile_plan *plan);

/* Appends ,name=path to the agent's options, with each % of path doubled for file=. False after
 * printing an error: path has a comma, which options can't contain, or does not fit. */
bool profile_plan_add_path(char *options, size_t size, const char *name, const char *path);

#endif
