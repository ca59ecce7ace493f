/*
 * local_time.h: what the texts of calendar time need of a system. Private to the
 * platform layer.
 */
#ifndef HPROF_OS_LOCAL_TIME_H
#define HPROF_OS_LOCAL_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A time, in seconds since 1970-01-01 UTC, in the local zone. False if the
 * system can't convert it. Any thread. */
bool local_time_of(int64_t seconds, struct tm *local);

#endif
