/*
 * timer_watch.h: looks after the CPU timers of a mode, and has what a reader of the
 * profile should know of them. Under the dump lock, except timer_watch_refused().
 */
#ifndef HPROF_VM_TIMER_WATCH_H
#define HPROF_VM_TIMER_WATCH_H

#include "profile/profile.h"

struct timer_watch {
	/* What it means for the profile when the timers end ("CPU samples end here"). */
	const char *consequence;
	struct os_cpu_timers_findings found; /* all that was ever found */
	_Atomic unsigned refused;            /* threads without a timer */
	_Atomic int refusal;                 /* the system's first error of these */
};

/* A thread that runs already got no timer, with this error of the system: it is not
 * sampled. The first one is reported on stderr. Any thread may call it. */
void timer_watch_refused(struct timer_watch *watch, int error);

/* For the mode's poll. Each kind of finding is reported on stderr when it is first seen.
 * True when the program has taken the timers' signal just now, so that they have ended. */
bool timer_watch_poll(struct timer_watch *watch);

/* Writes a NOTE for each kind of finding; after the mode's section. */
void timer_watch_write_notes(const struct timer_watch *watch, struct record_writer *writer);

#endif
