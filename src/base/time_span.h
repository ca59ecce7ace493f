/*
 * time_span.h: lengths of time that a user wrote.
 */
#ifndef HPROF_BASE_TIME_SPAN_H
#define HPROF_BASE_TIME_SPAN_H

#include <stdbool.h>

/* Parses a whole number of seconds, or of the unit that follows it: s, m (minutes) or h (hours).
 * False, with *seconds undefined, if the text is anything else, or more than maximum seconds.
 * Pure; any thread. */
bool time_span_parse(const char *text, long long maximum, long long *seconds);

#endif
