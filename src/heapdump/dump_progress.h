/*
 * dump_progress.h: tells how far the VM's own dumper is, which says nothing itself and keeps
 * the thread that called it: a thread of the agent looks at the length of its file. Used
 * by vm_heap_dump on the thread that dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_PROGRESS_H
#define HPROF_HEAPDUMP_DUMP_PROGRESS_H

#include "base/progress.h"
#include "os/os.h"

#include <stdatomic.h>
#include <stdbool.h>

struct dump_watch {
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
void dump_watch_begin(struct dump_watch *watch, struct progress *progress, const char *path);

/* The dumper is done: the progress is the caller's again. */
void dump_watch_end(struct dump_watch *watch);

#endif
