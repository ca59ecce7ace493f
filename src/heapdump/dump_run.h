/*
 * dump_run.h: a heap dump under way, which the mode heap=dump and its two sources share.
 * All of it on the thread that dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_RUN_H
#define HPROF_HEAPDUMP_DUMP_RUN_H

#include "alloc/object_traces.h"
#include "heapdump/dump_merge.h"
#include "heapdump/dumped_threads.h"
#include "heapdump/loaded_classes.h"
#include "hotspot/jmm.h"
#include "profile/profile.h"

/* Room for the reason of a failure. */
enum { DUMP_REASON_MAX = 512 };

struct dump_run {
	struct profile *profile;
	JNIEnv *jni;
	vm_dump_heap dumper; /* the VM's; NULL when it has none */
	struct loaded_classes *classes;
	struct object_traces *traces; /* by address; NULL when there are none */
	struct dumped_threads *threads;
	struct os_file files[2]; /* that the dump is in, one after the other */
	size_t file_count;
	struct dump_merger *merger; /* NULL until it is begun */
	bool read;                  /* it has read all files already */
	char reason[DUMP_REASON_MAX];
};

/* Where the objects of a dump come from. */
struct dump_source {
	bool by_address; /* ids in its files are addresses, else those of the output */
	/* Writes the dump to run->files, which the caller closes. run->merger, if it has
	 * begun, may read them already, with its functions called on another thread. False
	 * with the reason set. */
	bool (*produce)(struct dump_run *run);
};

/* Where temporary files go: beside the output when that is a file, else NULL. */
const char *dump_run_beside(const struct dump_run *run);

/* Sets the reason of a failure: what could not be done, and the system's words for code. */
void dump_run_explain(struct dump_run *run, const char *what, int code);

#endif
