/*
 * site_counting.h: counts objects at their sites, and tracks them.
 */
#ifndef HPROF_ALLOC_SITE_COUNTING_H
#define HPROF_ALLOC_SITE_COUNTING_H

#include "alloc/alloc.h"

/* How many objects one object of that size stands for, in SITE_OBJECTs, and the bytes
 * of these. Pure. */
struct site_counts site_counting_weigh(const struct heap_tracking *tracking, uint64_t size);

/* Counts an object at a site, and tracks it. On any thread, outside of collections.
 * False without memory (reported). */
bool site_counting_add(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                       const struct site *site, uint64_t size);

/* Counts an object at one of the calling thread's recent sites, and tracks it. */
void site_counting_add_recent(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                              const struct recent_site *site, uint64_t size);

/* Whether what is allocated now counts. Any thread. */
static inline bool site_counting_is_on(const struct heap_tracking *tracking)
{
	return !profile_stopped(tracking->profile) &&
	       atomic_load_explicit(&tracking->counting, memory_order_acquire);
}

#endif
