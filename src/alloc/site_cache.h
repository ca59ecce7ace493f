/*
 * site_cache.h: the sites at which a thread allocated lately, found by its stack and
 * the class in a few lines of the processor's cache: in front of stack_walk.h and
 * site_table.h. An answer is one that those gave in the same epoch of the heap, for the
 * same code at the same addresses.
 *
 * Each thread that has counts of its own has recent sites of its own, at most 768 KB, and
 * nobody else reads or writes them: no lock.
 */
#ifndef HPROF_ALLOC_SITE_CACHE_H
#define HPROF_ALLOC_SITE_CACHE_H

#include "alloc/object_shapes.h"
#include "alloc/site_table.h"
#include "hotspot/stack_walk.h"

struct site_cache;

/* Frames of a stack that is kept, those of stubs included. */
enum { SITE_CACHE_FRAMES_MAX = 8 };

/* An allocation, as it is looked for. */
struct site_cache_key {
	uintptr_t class_address; /* not 0 */
	uint32_t epoch;
	uint32_t depth;                         /* Java frames that its trace may have */
	uint32_t frames[SITE_CACHE_FRAMES_MAX]; /* their numbers; after the last, 0 */
};

/* Where it is, and its counter in the thread's own copy. */
struct cached_site {
	struct site_cache_key of;
	uint32_t number;
	object_shape shape; /* 0 where nobody needs it */
	struct site_counter *counter;
};

/* NULL without memory. */
struct site_cache *site_cache_create(struct site_table *sites);
void site_cache_destroy(struct site_cache *recent);

/* Looks for a site by the calling thread's stack, allocation->depth Java frames or more of
 * it. All but allocation->frames is the caller's; that is filled in, with a first one of 0
 * when the stack is none that can be kept. NULL when it is not known. In a callback on the
 * thread that jni is of; takes memory at a thread's first call. */
const struct cached_site *site_cache_find(struct site_cache *recent,
                                          const struct stack_walker *walker, JNIEnv *jni,
                                          struct site_cache_key *allocation);

/* Keeps the site that the allocation, which was looked for and not found, is at. */
void site_cache_add(struct site_cache *recent, JNIEnv *jni, const struct site_cache_key *allocation,
                    uint32_t number, object_shape shape);

#endif
