/*
 * thread.h: threads of Solaris, as Solaris and illumos
 * have it on LP64. Written from the manual pages; what the agent may use.
 */
#ifndef TESTS_SOLARIS_THREAD_H
#define TESTS_SOLARIS_THREAD_H

#include <sys/types.h>

typedef unsigned int thread_t;

thread_t thr_self(void);
void thr_yield(void);

#endif
