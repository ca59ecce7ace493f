/*
 * cpu_timer_kinds.h: the two ways to drive a thread's CPU-interval timer.
 * Private to the platform layer; any thread may call. What a thread is needed for is
 * timer->thread, which each arms or rids of SIGPROF.
 */
#ifndef HPROF_OS_CPU_TIMER_KINDS_H
#define HPROF_OS_CPU_TIMER_KINDS_H

#include "os.h"

#include <signal.h>

/* Whether this process may count its CPU time with perf, time in the kernel
 * included. Opens and closes one counter. */
bool perf_timer_permitted(void);

/* Makes the timer without starting it, and starts it. open returns 0 or errno,
 * also when too few descriptors would be left for the program (EMFILE). */
int perf_timer_open(struct os_cpu_timer *timer);
int perf_timer_start(struct os_cpu_timer *timer);

/* After the first expiration: from first_ns to interval_ns. Signal-safe. */
void perf_timer_set_interval(struct os_cpu_timer *timer);

/* Ends the timer. Any thread. */
void perf_timer_close(struct os_cpu_timer *timer);

/* The same on a POSIX timer. Its signals carry cookie. */
int posix_timer_start(struct os_cpu_timer *timer, void *cookie);
void posix_timer_close(struct os_cpu_timer *timer);

#endif
