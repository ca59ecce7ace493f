/*
 * time.h: times and clocks, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_TIME_H
#define TESTS_SOLARIS_TIME_H

#include <sys/types.h>

struct timespec {
	time_t tv_sec;
	long tv_nsec;
};
typedef struct timespec timespec_t;
typedef struct timespec timestruc_t;

struct tm {
	int tm_sec;
	int tm_min;
	int tm_hour;
	int tm_mday;
	int tm_mon;
	int tm_year;
	int tm_wday;
	int tm_yday;
	int tm_isdst;
};

#define CLOCK_VIRTUAL 1
#define CLOCK_THREAD_CPUTIME_ID 2
#define CLOCK_REALTIME 3
#define CLOCK_MONOTONIC 4
#define CLOCK_PROCESS_CPUTIME_ID 5
#define CLOCK_HIGHRES CLOCK_MONOTONIC

time_t time(time_t *);
struct tm *localtime_r(const time_t *restrict, struct tm *restrict);
time_t mktime(struct tm *);
struct tm *gmtime_r(const time_t *restrict, struct tm *restrict);
size_t strftime(char *restrict, size_t, const char *restrict, const struct tm *restrict);
int clock_gettime(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);

#endif
