/*
 * time.h: high-resolution times and interval timers, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_TIME_H
#define TESTS_SOLARIS_SYS_TIME_H

#include <sys/types.h>
#include <time.h>

typedef long long hrtime_t;

struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
};

struct itimerval {
	struct timeval it_interval;
	struct timeval it_value;
};

#define SEC 1
#define MILLISEC 1000
#define MICROSEC 1000000
#define NANOSEC 1000000000LL

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
#define ITIMER_REALPROF 3

hrtime_t gethrtime(void);
hrtime_t gethrvtime(void);
/* Without const for the new value, as older headers declare it. */
int setitimer(int, struct itimerval *restrict, struct itimerval *restrict);
int gettimeofday(struct timeval *restrict, void *restrict);

#endif
