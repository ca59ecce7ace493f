/*
 * whole_number.h: whole numbers that a user wrote.
 */
#ifndef HPROF_BASE_WHOLE_NUMBER_H
#define HPROF_BASE_WHOLE_NUMBER_H

#include <stdbool.h>

/* Parses a number of digits only, from minimum, at least 0, to maximum. False, with *number
 * undefined, if the text is anything else. Pure; any thread. */
bool whole_number_parse(const char *text, long long minimum, long long maximum, long long *number);

#endif
