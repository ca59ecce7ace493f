/*
 * sched.h: the scheduler, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SCHED_H
#define TESTS_SOLARIS_SCHED_H

int sched_yield(void);

#endif
