/*
 * sched.h: the scheduler, as Solaris and illumos
 * have it on LP64. Written from the manual pages; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SCHED_H
#define TESTS_SOLARIS_SCHED_H

int sched_yield(void);

#endif
