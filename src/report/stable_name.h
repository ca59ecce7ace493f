/*
 * stable_name.h: names without what differs between runs of a JVM.
 */
#ifndef HPROF_REPORT_STABLE_NAME_H
#define HPROF_REPORT_STABLE_NAME_H

#include "model/strings.h"

/* The name without the addresses of hidden classes and the numbers of lambda classes, after
 * prefix: "App$$Lambda$14/0x00007f4.run" becomes "App$$Lambda.run". NULL when out of memory. */
const struct string *stable_name_intern(struct string_table *strings, const char *prefix,
                                        const struct string *name);

/* The stable names of the names of one table, each computed once. All zeros: empty. */
struct stable_names {
	const struct string **names; /* by id */
	size_t count;
};

void stable_names_free(struct stable_names *names);

/* The stable name without a prefix, of the table strings. NULL when out of memory. */
const struct string *stable_names_find(struct stable_names *names, struct string_table *strings,
                                       const struct string *name);

#endif
