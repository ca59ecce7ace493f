/*
 * site_counting.h: counts objects at their sites, and tracks them.
 */
#ifndef HPROF_ALLOC_SITE_COUNTING_H
#define HPROF_ALLOC_SITE_COUNTING_H

#include "alloc/alloc.h"

/* How many objects one object of that size stands for, in SITE_OBJECTs, and the bytes
 * of these. Pure. */
struct site_counts site_counting_weigh(const struct alloc *alloc, uint64_t size);

/* Counts an object at a site, and tracks it, or returns its birth mark: 0 if there is none. On any
 * thread, outside of collections. Out of memory is reported. */
uint32_t site_counting_add(struct alloc *alloc, JNIEnv *jni, jobject object,
                           const struct site *site, uint64_t size);

/* The same at one of the calling thread's recent sites. */
uint32_t site_counting_add_cached(struct alloc *alloc, JNIEnv *jni, jobject object,
                                  const struct cached_site *site, uint64_t size);

/* Whether what is allocated now counts. Any thread. */
static inline bool site_counting_is_on(const struct alloc *alloc)
{
	return !profile_is_stopped(alloc->profile) &&
	       atomic_load_explicit(&alloc->counting, memory_order_acquire);
}

#endif
