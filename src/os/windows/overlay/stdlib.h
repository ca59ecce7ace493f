/*
 * stdlib.h (Windows): the C library's, and what libbsd adds to it elsewhere; see
 * bsd.c.
 */
#ifndef HPROF_OVERLAY_STDLIB_H
#define HPROF_OVERLAY_STDLIB_H

#include_next <stdlib.h>

/* The decimal number that text is, from minimum to maximum, blanks before it and a
 * sign allowed. What is wrong otherwise, in words in *problem, which is NULL when
 * nothing is; the answer is 0 then. */
long long strtonum(const char *text, long long minimum, long long maximum, const char **problem);

#endif
