/*
 * dump_progress.h: tells how far the VM's own dumper is, which says nothing itself and keeps
 * the thread that called it: a thread of the agent looks at the length of its file. Used
 * by vm_dump on the thread that dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_PROGRESS_H
#define HPROF_HEAPDUMP_DUMP_PROGRESS_H

#include "base/progress.h"
#include "os/os.h"

#include <stdatomic.h>
#include <stdbool.h>

struct dump_progress {
	struct progress *progress;
	const char *path;
	bool running;
	struct os_thread_handle thread;
	struct os_event wake;
	_Atomic bool ended;
};

/* From now on the progress is the watch's, and is told how long the file of that name
 * is. The path stays where it is until the end. Does nothing when no progress has begun,
 * nor when no thread can be had. */
void dump_progress_begin(struct dump_progress *dump, struct progress *progress, const char *path);

/* The dumper is done: the progress is the caller's again. */
void dump_progress_end(struct dump_progress *dump);

#endif
