/*
 * dump_tail.h: reads the dump that the VM's own dumper writes while it writes it: a
 * processor that the dumper does not use has the first of the two readings done when the
 * dump is. Used by vm_dump on the thread that dumps, under the profile's dump lock.
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
	bool drained; /* the file has been at its end since the dumper was done */
	bool read;
	struct os_thread_handle thread;
	struct os_event wake;
	_Atomic bool ended;
};

/* From now on the merger is the follower's, whose file will have that name. Both stay
 * where they are until the end. Does nothing for a merger of NULL, and when no thread
 * can be had. */
void dump_tail_begin(struct dump_tail *tail, struct dump_merger *merger, const char *path);

/* The dumper is done. Whether all of its file has been read: then it is in *file, which
 * the caller closes; else the merger is of no use. */
bool dump_tail_end(struct dump_tail *tail, struct os_file *file);

#endif
