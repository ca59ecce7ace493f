/*
 * heap_sites.h: the records about allocation sites, for whoever asks for one: the dump,
 * and the commands of net=.
 */
#ifndef HPROF_PROFILE_HEAP_SITES_H
#define HPROF_PROFILE_HEAP_SITES_H

#include "profile/heap_tracking.h"

struct heap_sites;

/* What a SITES section or ALLOC SITES record is asked to be: the flags of the command,
 * and its cutoff ratio. */
struct sites_request {
	bool incremental;   /* allocated counts begin at the last request with this */
	bool by_allocation; /* else sorted by live bytes */
	bool forced_gc;     /* collect garbage before */
	double cutoff;      /* from 0 to 1 */
};

/* NULL when no allocations are counted. Valid after the modes were created. */
struct heap_sites *heap_sites_of(struct profile *profile);

/* Writes the record, with what was collected until now. Any Java thread, under the
 * profile's dump lock. */
void heap_sites_write(struct heap_sites *sites, JNIEnv *jni, const struct sites_request *request);

/* Writes HEAP SUMMARY (binary only). The same. */
void heap_sites_write_summary(struct heap_sites *sites, JNIEnv *jni);

#endif
