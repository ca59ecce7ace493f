/*
 * strings.h: strings regardless of case, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_STRINGS_H
#define TESTS_SOLARIS_STRINGS_H

#include <stddef.h>

int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);

#endif
