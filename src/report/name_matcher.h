/*
 * name_matcher.h: which names match a regular expression; each name is matched once. One thread;
 * no lock.
 */
#ifndef HPROF_REPORT_NAME_MATCHER_H
#define HPROF_REPORT_NAME_MATCHER_H

#include "model/strings.h"
#include "os/os_programs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_matcher {
	const struct os_regex *regex; /* owned by the caller; NULL: no name matches */
	uint8_t *known;               /* by id of a name, 0: not matched yet */
	size_t known_count;
	bool out_of_memory; /* what did not match since then may match */
};

/* name_matcher_free() must be called. */
void name_matcher_init(struct name_matcher *matcher, const struct os_regex *regex);
void name_matcher_free(struct name_matcher *matcher);

/* False for NULL, and when out of memory. The names of a matcher have one table of strings. */
bool name_matcher_matches(struct name_matcher *matcher, const struct string *name);

#endif
