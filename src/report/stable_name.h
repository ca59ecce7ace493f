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

#endif
