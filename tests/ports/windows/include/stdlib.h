/*
 * stdlib.h (tests on Windows): the C library's with libbsd's, and what POSIX adds
 * that the tests use; see ../posix.c.
 */
#ifndef HPROF_TESTS_WINDOWS_STDLIB_H
#define HPROF_TESTS_WINDOWS_STDLIB_H

#include_next <stdlib.h>

int setenv(const char *name, const char *value, int overwrite);
char *mkdtemp(char *name);

#endif
