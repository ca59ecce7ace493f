/*
 * limits.h: limits, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_LIMITS_H
#define TESTS_SOLARIS_LIMITS_H

#include_next <limits.h>

#define PATH_MAX 1024
#define PIPE_BUF 5120
#define SSIZE_MAX LONG_MAX

#endif
