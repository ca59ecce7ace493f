/*
 * thread_times.h: what the system has counted for a thread. Private to the
 * platform layer.
 */
#ifndef HPROF_OS_THREAD_TIMES_H
#define HPROF_OS_THREAD_TIMES_H

#include "os.h"

struct thread_times {
	uint64_t user_ns;
	uint64_t kernel_ns;
	uint64_t created_units; /* 100 ns since 1601-01-01 UTC */
	uint64_t cpu_ns;        /* user and kernel, at the system's resolution */
};

/* Reads a live thread of this process. Returns 0 or a code of os.h
 * (ERROR_INVALID_THREAD_ID when there is none). Any thread; no lock. */
int thread_times_read(os_thread thread, struct thread_times *times);

/* Whether CPU time is refined by the threads' cycle counters. The first call in
 * the process takes some milliseconds. */
bool thread_times_refined(void);

#endif
