/*
 * lwp.h: LWPs, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_LWP_H
#define TESTS_SOLARIS_SYS_LWP_H

#include <sys/types.h>

typedef unsigned int lwpid_t;

lwpid_t _lwp_self(void);

#endif
