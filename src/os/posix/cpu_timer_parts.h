/*
 * cpu_timer_parts.h: the parts of struct os_cpu_timer (os_types.h) that are the same
 * on every POSIX system. Private to the platform layer.
 */
#ifndef HPROF_OS_CPU_TIMER_PARTS_H
#define HPROF_OS_CPU_TIMER_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct os_cpu_timer;

/* Its place in the list of all timers; under the list's lock (cpu_timer_list.h). */
struct cpu_timer_entry {
	struct os_cpu_timer *prev;
	struct os_cpu_timer *next;
	bool running; /* it is in the list */
	bool armed;   /* the system has its timer */
	bool lost;    /* the system had it, and refuses another */
};

/* What it costs its thread. */
struct cpu_timer_meter {
	_Atomic uint64_t period_ns; /* between expirations: the interval, or longer */

	/* Written by the handler. */
	_Atomic uint64_t calls;
	_Atomic uint64_t spent_ns; /* CPU time in the callback, from a part of the calls */

	/* The watch's own (cpu_timer_watch.c): as of its last look, and at the beginning
	 * of the stretch of CPU time that is being judged. */
	bool looked_at;
	uint64_t last_cpu_ns;
	uint64_t last_calls;
	uint64_t judged_cpu_ns;
	uint64_t judged_calls;
	uint64_t judged_spent_ns;
	uint64_t judged_ran_ns;
};

#endif
