/*
 * thread.h: threads of Solaris, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_THREAD_H
#define TESTS_SOLARIS_THREAD_H

#include <sys/types.h>

typedef unsigned int thread_t;

thread_t thr_self(void);
void thr_yield(void);

#endif
