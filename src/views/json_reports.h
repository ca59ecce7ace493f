/*
 * json_reports.h: what the subcommands report as JSON, for programs: docs/schema has the schemas.
 * The numbers and their order are those of the text. One thread; no lock.
 *
 * A part that fails makes the output fail, which then reports it.
 */
#ifndef HPROF_VIEWS_JSON_REPORTS_H
#define HPROF_VIEWS_JSON_REPORTS_H

#include "check/check.h"
#include "console/output.h"
#include "gate/difference.h"
#include "gate/verdict.h"

/* Of the schemas, which "version" has. A member that is added does not change it. */
enum { JSON_REPORTS_VERSION = 1 };

/* False after printing that this build has no --json. */
bool json_reports_available(void);

/* What of a difference is written. */
struct json_difference {
	const char *names[SIDES];  /* of the profiles' files */
	enum difference_kind kind; /* DIFFERENCE_KINDS: all that both have */
	bool is_normalized;
	size_t top; /* rows of each table, 0: all */
};

/* False when out of memory or the output failed. */
bool json_difference_write(const struct difference *difference, const struct json_difference *how,
                           struct output *output);

/* What of a verdict is written. */
struct json_verdict {
	const char *names[SIDES];
	size_t top; /* contexts of each measure, 0: all */
};

/* False when out of memory or the output failed. */
bool json_verdict_write(const struct verdict *verdict, const struct json_verdict *how,
                        struct output *output);

/* What the check of a binary file found; name is the file's. False when out of memory or the output
 * failed. */
bool json_validation_write(const struct check_result *result, const char *name,
                           struct output *output);

#endif
