/*
 * site_cache.h: the sites at which a thread allocated most recently, found by its stack and
 * the class in a few cache lines: a cache before stack_walk.h and
 * site_table.h. An entry is their answer in the same GC epoch, for the
 * same code at the same addresses.
 *
 * Each thread that has its own counts has its own cache, at most 768 KB, which no other
 * thread reads or writes: no lock.
 */
#ifndef HPROF_ALLOC_SITE_CACHE_H
#define HPROF_ALLOC_SITE_CACHE_H

#include "alloc/object_shapes.h"
#include "alloc/site_table.h"
#include "hotspot/stack_walk.h"

struct site_cache;

/* Frames of a stack in the cache, those of stubs included. */
enum { SITE_CACHE_FRAMES_MAX = 8 };

/* The key of an allocation. */
struct site_cache_key {
	uintptr_t class_address; /* not 0 */
	uint32_t epoch;
	uint32_t depth;                         /* Java frames that its trace may have */
	uint32_t frames[SITE_CACHE_FRAMES_MAX]; /* their numbers; after the last, 0 */
};

/* An entry: the site, and its counter in the thread's own copy. */
struct cached_site {
	struct site_cache_key of;
	uint32_t number;
	object_shape shape; /* 0 if it is not needed */
	struct site_counter *counter;
};

/* NULL without memory. */
struct site_cache *site_cache_create(struct site_table *sites);
void site_cache_destroy(struct site_cache *recent);

/* Finds a site by the calling thread's stack, allocation->depth Java frames or more of
 * it. The caller sets all of allocation except frames, which is filled in; the first is 0
 * if the stack can't be cached. NULL if it is not in the cache. In a callback on the
 * thread that jni is of; allocates memory at a thread's first call. */
const struct cached_site *site_cache_find(struct site_cache *recent,
                                          const struct stack_walker *walker, JNIEnv *jni,
                                          struct site_cache_key *allocation);

/* Adds the site of an allocation that was searched for and not found. */
void site_cache_add(struct site_cache *recent, JNIEnv *jni, const struct site_cache_key *allocation,
                    uint32_t number, object_shape shape);

#endif
