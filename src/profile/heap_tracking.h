/*
 * heap_tracking.h: every allocation, by site, and what became of the objects. It
 * gathers; heap_sites and heap_dump write.
 *
 * The VM tells each object that is allocated (SampledObjectAlloc), on the thread that
 * allocates it: from bytecode, reflection, JNI or the VM itself. Where only their number is
 * wanted (live=n), those who make objects tell (bytecode_allocations.h). Objects made before
 * the VM was up are found on the heap then, and have the empty trace.
 */
#ifndef HPROF_PROFILE_HEAP_TRACKING_H
#define HPROF_PROFILE_HEAP_TRACKING_H

#include "profile/allocation_instrumenter.h"
#include "profile/heap_epoch.h"
#include "profile/live_objects.h"
#include "profile/object_traces.h"
#include "profile/recent_sites.h"
#include "profile/site_table.h"
#include "profile/vm_natives.h"

struct allocation_traces;

struct heap_tracking {
	struct profile *profile;
	struct memo_table *memo;
	struct allocation_traces *traces;
	struct site_table *sites;
	struct recent_sites *recent;
	struct live_objects *live; /* NULL: objects are not followed */
	/* Allocations are told by bytecode (bytecode_allocations.h), not by the VM's event. */
	bool by_bytecode;
	_Atomic bool callable;        /* the class that rewritten classes call is defined */
	struct object_shapes *shapes; /* for that, else NULL */
	struct allocation_instrumenter instrumenter;
	struct vm_natives vm_natives;
	bool raw;              /* references may be read as the VM keeps them */
	_Atomic bool traced;   /* else everything is at the empty trace */
	_Atomic bool counting; /* what is allocated counts */
	_Atomic bool starting; /* objects made before the start are being looked for */
	struct heap_epoch epoch;
	uint32_t swept;   /* the epoch of the last sweep */
	uint32_t sampled; /* bytes between samples; 0: every object counts */
};

/* How many objects one object of that size stands for, in SITE_OBJECTs, and the bytes
 * of these. Pure. */
struct site_counts heap_tracking_weigh(const struct heap_tracking *tracking, uint64_t size);

/* Counts an object at a site, and follows it. On any thread, outside of collections.
 * False without memory (reported). */
bool heap_tracking_count(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                         const struct site *site, uint64_t size);

/* Counts an object at one of the calling thread's recent sites, and follows it. */
void heap_tracking_count_recent(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                                const struct recent_site *site, uint64_t size);

/* Whether what is allocated now counts. Any thread. */
bool heap_tracking_counts(const struct heap_tracking *tracking);

/* Counts the objects that are on the heap, at the empty trace, and has allocations count
 * from then on. Nobody follows them: live=n. Live phase (heap_tally.c). */
void heap_start_tally(struct heap_tracking *tracking, JNIEnv *jni);

/* Counts the objects that are on the heap, at the empty trace; allocations of other
 * threads are being counted meanwhile. Live phase (heap_start.c). */
void heap_start_count(struct heap_tracking *tracking, JNIEnv *jni);

/* Tag of objects that were counted while heap_start_count() runs. */
#define HEAP_START_TAG ((jlong)1 << 60)

#endif
