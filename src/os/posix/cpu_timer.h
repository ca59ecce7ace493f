/*
 * cpu_timer.h: what drives a thread's CPU-interval timer; each platform has its
 * own way to send cpu_timer_signal() to the thread whose CPU clock has advanced.
 * Private to the platform layer. cpu_timers.c and cpu_timer_watch.c call these; functions
 * of one timer run on the timer's own thread unless stated otherwise. os_types.h
 * defines the signals that may be used, and CPU_TIMER_OF_OTHERS: whether a timer can be
 * started for another thread.
 */
#ifndef HPROF_OS_CPU_TIMER_H
#define HPROF_OS_CPU_TIMER_H

#include "os.h"

#include <signal.h>

/* While no timer runs: finds out which way of the kind the system provides to this process. 0
 * or OS_UNSUPPORTED. */
int cpu_timer_choose(enum os_cpu_timer_kind kind);

/* Measures what an expiration costs, if that is to be known, on a thread that has no timer.
 * Takes a millisecond or two the first time. */
void cpu_timer_calibrate(void);

/* The way that timers of an interval are driven, in words. */
const char *cpu_timer_name(uint64_t interval_ns);

/* Starts the timer, with thread, first_ns, interval_ns and period set and all else 0. own:
 * whether this is its thread. 0, or errno with nothing to disarm. Any thread. */
int cpu_timer_arm(struct os_cpu_timer *timer, bool own);

/* The timer, which was started on another thread, is the calling thread's from now
 * on. Again at each signal that may be its own, since it can be armed later. Signal-safe. */
void cpu_timer_taken(struct os_cpu_timer *timer);

/* Stops the timer, while its handler may run and what it has of the system stays. Any
 * thread. */
void cpu_timer_disable(struct os_cpu_timer *timer);

/* Ends the timer, if it was started. own: whether this is its thread, which may
 * have ended. Any thread. */
void cpu_timer_disarm(struct os_cpu_timer *timer, bool own);

/* Whether a signal was sent by a timer of the calling thread, or by an earlier one of
 * that thread. Signal-safe. */
bool cpu_timer_sent(const siginfo_t *info);

/* Whether a signal may come from a timer that another thread has started for the
 * calling one. Signal-safe. */
bool cpu_timer_may_be_sent(const siginfo_t *info);

/* The timer has expired, in the handler. Signal-safe. */
void cpu_timer_expired(struct os_cpu_timer *timer);

/* ---- for the watch: on any thread, while the timer can't be disarmed ----- */

/* CPU time that an expiration takes from its thread, the callback left out; 0: unknown. */
uint64_t cpu_timer_cost_ns(void);

/* How long the system has run the timer, by the clock that makes it expire; 0 where
 * that is unknown. Needs no handler to run. */
uint64_t cpu_timer_ran_ns(const struct os_cpu_timer *timer);

/* Brings a timer to the period that is in its meter. False when it can't. */
bool cpu_timer_set_period(struct os_cpu_timer *timer);

/* Replaces a timer that its handler had to stop, or that sends another signal than
 * cpu_timer_signal(). 0, also if nothing was wrong, or errno: the thread has no timer now. */
int cpu_timer_mend(struct os_cpu_timer *timer);

/* Sends the calling thread a signal that looks as if a timer of its own had sent it. */
void cpu_timer_send_to_self(int signal);

#endif
