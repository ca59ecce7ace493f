/*
 * cpu_timer_kinds.h: the two ways to drive a thread's CPU-interval timer.
 * Private to the platform layer; any thread may call. What a thread is needed for is
 * timer->thread, to which each sends timer->signal.
 */
#ifndef HPROF_OS_CPU_TIMER_KINDS_H
#define HPROF_OS_CPU_TIMER_KINDS_H

#include "os.h"

#include <signal.h>

/* Whether this process may count its CPU time with perf, time in the kernel
 * included. Opens and closes one counter. */
bool perf_timer_permitted(void);

/* What one expiration costs its thread: measured (cpu_timer_cost.h), or until that is
 * done a guess that is too high. */
uint64_t perf_timer_cost_ns(void);
void perf_timer_set_cost_ns(uint64_t ns);

/* The shortest period passed to the kernel. A thread whose timer expires faster than
 * the interrupt is handled makes no progress and can't even be killed. */
uint64_t perf_timer_least_ns(void);

/* Creates the timer without starting it, and starts it. open returns 0 or errno,
 * also when too few descriptors would be left for the program (EMFILE). */
int perf_timer_open(struct os_cpu_timer *timer);
int perf_timer_start(struct os_cpu_timer *timer);

/* Whether the timer's descriptor is still its own: the program may have closed it, and opened
 * a file with its number. The functions below do nothing then. Signal-safe. */
bool perf_timer_is_ours(const struct os_cpu_timer *timer);

/* From the first period, or another one, to that of the meter. False when that fails.
 * Signal-safe. */
bool perf_timer_set_period(struct os_cpu_timer *timer);

/* Sends timer->signal from now on. 0 or errno. */
int perf_timer_set_signal(struct os_cpu_timer *timer);

/* Nanoseconds that the kernel has run the timer. */
uint64_t perf_timer_ran_ns(const struct os_cpu_timer *timer);

/* Stops the timer (signal-safe); ends it. Any thread. */
void perf_timer_disable(struct os_cpu_timer *timer);
void perf_timer_close(struct os_cpu_timer *timer);

/* Whether this process gets a POSIX timer. Creates and deletes one. */
bool posix_timer_permitted(void);

/* The same on a POSIX timer. Its signals carry cookie. */
int posix_timer_start(struct os_cpu_timer *timer, void *cookie);
bool posix_timer_set_period(struct os_cpu_timer *timer);
void posix_timer_disable(struct os_cpu_timer *timer);
void posix_timer_close(struct os_cpu_timer *timer);

#endif
