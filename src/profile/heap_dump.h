/*
 * heap_dump.h: what the parts of the mode heap=dump share: a dump under way, and the two
 * ways of getting its objects into a file. All of it on the thread that dumps, under the
 * profile's dump lock.
 */
#ifndef HPROF_PROFILE_HEAP_DUMP_H
#define HPROF_PROFILE_HEAP_DUMP_H

#include "output/heap_splice.h"
#include "profile/dumped_threads.h"
#include "profile/loaded_classes.h"
#include "profile/object_traces.h"
#include "profile/profile.h"
#include "profile/vm_management.h"

/* Room for the reason of a failure. */
enum { HEAP_DUMP_REASON_MAX = 512 };

struct heap_dump_run {
	struct profile *profile;
	JNIEnv *jni;
	struct loaded_classes *classes;
	struct object_traces *traces; /* by address; NULL when there are none */
	struct dumped_threads *threads;
	struct os_file files[2]; /* that the dump is in, one after the other */
	size_t file_count;
	struct heap_splicing *splicing; /* NULL until it is begun */
	bool read;                      /* it has read all files already */
	char reason[HEAP_DUMP_REASON_MAX];
};

/* ---- vm_heap_dump.c */

/* Has the VM write its own dump, with live objects only, to a file without a name beside
 * the output, which the caller closes. Where classes and tracked objects are
 * at the moment of the dump is noted. A splicing that has been begun reads the file already
 * where that can be done; its functions are then called on another thread. False with the
 * reason set. */
bool vm_heap_dump(struct heap_dump_run *run, vm_dump_heap dump);

/* ---- reference_heap_dump.c */

/* Follows all references from the roots, by JVM TI, and writes what is reached to two
 * files of the same kind, with ids and serials of the output: the classes, and then
 * their objects. Needs no dumper of the VM. False with the reason set. */
bool reference_heap_dump(struct heap_dump_run *run);

/* ---- heap_dump.c */

/* Where temporary files go: beside the output when that is a file, else NULL. */
const char *heap_dump_beside(const struct profile *profile);

/* Sets the reason of a failure: what could not be done, and the system's words for code. */
void heap_dump_explain(struct heap_dump_run *run, const char *what, int code);

#endif
