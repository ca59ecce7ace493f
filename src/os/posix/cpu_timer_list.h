/*
 * cpu_timer_list.h: all CPU-interval timers of the process, so that they can be looked
 * at and ended from one thread, also those of threads that never run again. Private to
 * the platform layer. Any thread, not in a signal handler; one lock, held while timers
 * are visited.
 */
#ifndef HPROF_OS_CPU_TIMER_LIST_H
#define HPROF_OS_CPU_TIMER_LIST_H

#include "os.h"

typedef void cpu_timer_visit(void *argument, struct os_cpu_timer *timer);

/* Puts a timer in that is about to be armed. False when the list is closed. */
bool cpu_timer_list_add(struct os_cpu_timer *timer);

/* The timer has been armed. False when the list was closed meanwhile: the timer is out
 * of it, and the caller's to disarm. */
bool cpu_timer_list_armed(struct os_cpu_timer *timer);

/* Takes the timer out; it is the caller's to disarm. False when it is not in. */
bool cpu_timer_list_remove(struct os_cpu_timer *timer);

/* Whether the timer is in, the list is open, and the system has not refused the timer since. */
bool cpu_timer_list_has(const struct os_cpu_timer *timer);

bool cpu_timer_list_is_empty(void);

/* Nothing can be added while the list is closed, as it is at first. */
bool cpu_timer_list_is_open(void);
void cpu_timer_list_open(void);
void cpu_timer_list_close(void);

/* Visits all armed timers, under the lock. */
void cpu_timer_list_each(cpu_timer_visit *visit, void *argument);

/* Visits at most `most` of them, each time those that come next. */
void cpu_timer_list_some(unsigned most, cpu_timer_visit *visit, void *argument);

/* Takes all armed timers out, and visits them. */
void cpu_timer_list_take_all(cpu_timer_visit *visit, void *argument);

#endif
