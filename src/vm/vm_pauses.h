/*
 * vm_pauses.h: how often and how long the VM has stopped the program: collections, by their
 * events, and all safepoints, by the counters that HotSpot keeps for monitoring tools, where it
 * has them.
 *
 * No lock. Events of collections come on a thread of the VM in a pause; any thread reads.
 */
#ifndef HPROF_VM_VM_PAUSES_H
#define HPROF_VM_VM_PAUSES_H

#include "profile/profile.h"

#include <stdatomic.h>

struct vm_pauses {
	_Atomic uint64_t collections;
	_Atomic uint64_t collected_ns;
	uint64_t started_ns; /* of the last collection */
	const char *memory;  /* of the counters, or NULL */
	size_t length;
	/* NULL where the VM does not have them, and until they are found. */
	_Atomic(const volatile uint64_t *) safepoints;
	const volatile uint64_t *synchronizing; /* in ticks */
	const volatile uint64_t *stopped;
	uint64_t ticks_per_second;
	uint64_t first_count; /* of safepoints, less collections, when they were found */
	uint64_t first_ns;
};

/* What has happened since the start, numbers that only grow. */
struct vm_pauses_reading {
	uint64_t count;
	/* The VM counts a safepoint when it begins, and its time some microseconds after the
	 * program runs again. */
	uint64_t safepoint_ns;
	uint64_t collected_ns;
};

/* Finds the memory of the counters, once. Runs Java code of the JDK. Live phase. */
void vm_pauses_find_memory(struct vm_pauses *pauses, JNIEnv *jni);

/* Finds the counters there, unless that has been done: the VM creates the last of them after it is
 * initialized. Call it now and then, by one thread at a time. */
void vm_pauses_find(struct vm_pauses *pauses);

/* Whether safepoints are counted, not only collections. */
bool vm_pauses_has_safepoints(const struct vm_pauses *pauses);

void vm_pauses_collection_started(struct vm_pauses *pauses);
void vm_pauses_collection_finished(struct vm_pauses *pauses);

struct vm_pauses_reading vm_pauses_read(const struct vm_pauses *pauses);

#endif
