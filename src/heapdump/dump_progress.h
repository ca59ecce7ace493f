/*
 * dump_progress.h: reports how far the VM's own dumper is. The dumper reports nothing and blocks
 * its caller, so a thread of the agent watches the length of its file. Used by vm_dump on the
 * thread that dumps, under the profile's dump lock.
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

/* Starts reporting the length of the file with that name. Until dump_progress_end() the
 * progress belongs to the new thread, and path must stay valid. Does nothing when no progress
 * has begun or no thread can be started. */
void dump_progress_begin(struct dump_progress *dump, struct progress *progress, const char *path);

/* Stops reporting; the progress belongs to the caller again. */
void dump_progress_end(struct dump_progress *dump);

#endif
