/*
 * cpu_timers.h: what the watch (cpu_timer_watch.c) asks of cpu_timers.c. Private to the
 * platform layer.
 */
#ifndef HPROF_OS_CPU_TIMERS_H
#define HPROF_OS_CPU_TIMERS_H

enum cpu_timers_signal {
	CPU_TIMERS_SIGNAL_OURS,
	CPU_TIMERS_SIGNAL_IGNORED, /* SIG_IGN or SIG_DFL */
	CPU_TIMERS_SIGNAL_FOREIGN  /* another handler, which may call ours */
};

/* What CPU_TIMER_SIGNAL does now. Any thread. */
enum cpu_timers_signal cpu_timers_signal(void);

#endif
