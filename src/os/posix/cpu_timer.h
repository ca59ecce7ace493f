/*
 * cpu_timer.h: what drives a thread's CPU-interval timer; each platform has its
 * own way to have SIGPROF sent to the thread whose CPU clock has advanced. Private
 * to the platform layer. cpu_timers.c calls these; those on a timer are called on
 * the timer's own thread unless they say otherwise. os_types.h says in
 * CPU_TIMER_OF_OTHERS whether one can be started for another thread.
 */
#ifndef HPROF_OS_CPU_TIMER_H
#define HPROF_OS_CPU_TIMER_H

#include "os.h"

#include <signal.h>

/* While no timer runs: finds out which way of the kind is to be had. 0 or
 * OS_UNSUPPORTED. */
int cpu_timer_choose(enum os_cpu_timer_kind kind);

/* That way in words. */
const char *cpu_timer_name(void);

/* Starts the timer, whose thread, first_ns and interval_ns are set and the rest of
 * which is 0; own says whether this is its thread. 0, or errno with nothing that
 * cpu_timer_disarm() would have to end. Any thread. */
int cpu_timer_arm(struct os_cpu_timer *timer, bool own);

/* The timer, which was started on another thread, is the calling thread's from now
 * on. Signal-safe. */
void cpu_timer_taken(struct os_cpu_timer *timer);

/* Ends the timer, if it was started; own says whether this is its thread, which may
 * have ended. Any thread. */
void cpu_timer_disarm(struct os_cpu_timer *timer, bool own);

/* Whether a SIGPROF was sent by a timer of the calling thread, or by one that it
 * had. Signal-safe. */
bool cpu_timer_sent(const siginfo_t *info);

/* Whether a SIGPROF may come from a timer that another thread has started for the
 * calling one. Signal-safe. */
bool cpu_timer_may_be_sent(const siginfo_t *info);

/* The timer has expired, in the handler. Signal-safe. */
void cpu_timer_expired(struct os_cpu_timer *timer);

#endif
