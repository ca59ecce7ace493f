/*
 * dump_run.h: one heap dump in progress: the state that the mode heap=dump shares with the two
 * sources of dumps. On the thread that dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_RUN_H
#define HPROF_HEAPDUMP_DUMP_RUN_H

#include "alloc/object_traces.h"
#include "heapdump/dump_merge.h"
#include "heapdump/dumped_threads.h"
#include "heapdump/loaded_classes.h"
#include "hotspot/jmm.h"
#include "profile/profile.h"

/* Size of the reason of a failure. */
enum { DUMP_REASON_MAX = 512 };

struct dump_run {
	struct profile *profile;
	JNIEnv *jni;
	jmm_dump_heap dumper; /* of the VM; NULL when it has none */
	struct loaded_classes *classes;
	struct object_traces *traces; /* by address; NULL when objects are not tracked */
	struct dumped_threads *threads;
	struct os_file files[2]; /* the dump, one file after the other */
	size_t file_count;
	struct dump_merger *merger; /* NULL until the merge has begun */
	bool read;                  /* the merger has read all files already */
	char reason[DUMP_REASON_MAX];
};

/* A source of the objects of a dump. */
struct dump_source {
	bool by_address; /* ids in its files are addresses; else ids of the output */
	/* Writes the dump to run->files, which the caller closes. If run->merger exists,
	 * another thread may read the files with it meanwhile. False with the reason set. */
	bool (*produce)(struct dump_run *run);
};

/* The file beside which temporary files go: the output, or NULL when that is not a file. */
const char *dump_run_beside(const struct dump_run *run);

/* Sets the reason of a failure: what failed, and the system's text for code. */
void dump_run_explain(struct dump_run *run, const char *what, int code);

#endif
