/*
 * limits.h: limits, as Solaris and illumos
 * have it on LP64. Written from the manual pages; what the agent may use.
 */
#ifndef TESTS_SOLARIS_LIMITS_H
#define TESTS_SOLARIS_LIMITS_H

#include_next <limits.h>

#define PATH_MAX 1024
#define PIPE_BUF 5120
#define IOV_MAX 16
#define SSIZE_MAX LONG_MAX

#endif
