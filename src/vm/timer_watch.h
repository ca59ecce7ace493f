/*
 * timer_watch.h: looks after the CPU timers of a mode, and has what a reader of the
 * profile should know of them. Under the dump lock, except timer_watch_refused().
 */
#ifndef HPROF_VM_TIMER_WATCH_H
#define HPROF_VM_TIMER_WATCH_H

#include "profile/profile.h"

struct timer_watch {
	/* What is done for threads without a timer: "an agent thread takes samples instead". */
	const char *instead;

	/* What was ever found: periods, */
	unsigned slowed;
	uint64_t longest_period_ns;
	/* names of signals that the program has taken, or NULL: the first after which timers used
	 * another one, and that; one after which they ended; one that the last check has found; */
	const char *changed;
	const char *next_signal;
	const char *ended;
	const char *at_end;
	/* threads without a timer, and the system's first error of these. */
	_Atomic unsigned refused;
	_Atomic int refusal;
};

/* A thread has no timer, with this error of the system. The first one is reported on stderr. Any
 * thread may call it. */
void timer_watch_refused(struct timer_watch *watch, int error);

/* For the mode's poll. Each kind of finding is reported on stderr when it is first seen.
 * True when timers have ended or are lost: their threads (os_cpu_timer_runs()) need something
 * else. */
bool timer_watch_poll(struct timer_watch *watch);

/* Before the mode ends its timers: whether the program has taken their signal since the last
 * poll, which is reported. */
bool timer_watch_last_look(struct timer_watch *watch);

/* Writes a NOTE for each kind of finding; after the mode's section. */
void timer_watch_write_notes(struct timer_watch *watch, struct record_writer *writer);

#endif
