/*
 * shim.h: faults that tests put into the shim, and what it was told.
 */
#ifndef SHIM_H
#define SHIM_H

#include <procfs.h>
#include <stdatomic.h>
#include <stdbool.h>

struct shim {
	/* What opening a file under /proc/self/lwp, or /proc/self/ctl, fails with. */
	_Atomic int proc_error;
	/* How many bytes such a file has; all when negative. */
	_Atomic int proc_bytes;
	/* lwpusage is this. */
	_Atomic(const prusage_t *) usage;
	/* Writing to /proc/self/ctl fails with this, or takes one byte (-1). */
	_Atomic int control_error;
	/* No CLOCK_THREAD_CPUTIME_ID, as in old kernels. */
	atomic_bool no_thread_clock;
	/* connect() to a local socket leaves the connection in progress. */
	atomic_bool connects_later;
	/* Microstate accounting was asked for. */
	atomic_bool accounting;
};

extern struct shim shim;

#endif
