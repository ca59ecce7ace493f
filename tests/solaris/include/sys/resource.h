/*
 * resource.h: limits of the process, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_RESOURCE_H
#define TESTS_SOLARIS_SYS_RESOURCE_H

#include <sys/types.h>

typedef unsigned long rlim_t;
struct rlimit {
	rlim_t rlim_cur;
	rlim_t rlim_max;
};
#define RLIMIT_NOFILE 5

int getrlimit(int, struct rlimit *);

#endif
