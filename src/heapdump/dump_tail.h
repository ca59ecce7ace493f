/*
 * dump_tail.h: reads the file of the VM's own dumper while it is being written. With a CPU to
 * spare, the first reading of the merge is done when the dump is. Used by vm_dump on the thread
 * that dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_TAIL_H
#define HPROF_HEAPDUMP_DUMP_TAIL_H

#include "heapdump/dump_merge.h"
#include "os/os.h"

#include <stdatomic.h>
#include <stdbool.h>

struct dump_tail {
	struct dump_merger *merger;
	const char *path;
	struct os_file file;
	bool running;
	bool drained; /* the end of the file was reached after the dumper finished */
	bool read;
	struct os_thread_handle thread;
	struct os_event wake;
	_Atomic bool ended;
};

/* Starts a thread that reads the file with that name once it exists. Until dump_tail_end() the
 * merger belongs to that thread, and path must stay valid. Does nothing when merger is NULL or
 * no thread can be started. */
void dump_tail_begin(struct dump_tail *tail, struct dump_merger *merger, const char *path);

/* Waits for the rest of the file, which the dumper has finished. True when all of it has
 * been read: *file is then the open file, which the caller closes. Otherwise the merger is
 * unusable. */
bool dump_tail_end(struct dump_tail *tail, struct os_file *file);

#endif
