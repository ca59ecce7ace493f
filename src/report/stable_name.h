/*
 * stable_name.h: names of classes and methods without what differs between runs: addresses and
 * counters of hidden and generated classes. Pure.
 */
#ifndef HPROF_REPORT_STABLE_NAME_H
#define HPROF_REPORT_STABLE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Whether stable_name() may change the name; false for most names, at little cost. */
bool stable_name_may_differ(const char *name, size_t length);

/* Writes the stable form of a name, which is never longer, to stable:
 * "App$$Lambda$14/0x00007f4.run" becomes "App$$Lambda.run". Numbers that a compiler chose stay:
 * "App$1", "App.lambda$main$3". Returns its length; no zero byte is added. The two do not overlap.
 */
size_t stable_name(const char *name, size_t length, char *stable);

#endif
