/*
 * site_counting.c: see site_counting.h. Sites and tracked objects have locks of their own;
 * nothing here has one.
 */
#include "alloc/site_counting.h"

#include <math.h>

struct site_counts site_counting_weigh(const struct alloc *alloc, uint64_t size)
{
	if (alloc->sampled == 0)
		return (struct site_counts){.bytes = size, .objects = SITE_OBJECT};
	/* The VM takes a sample at points of a Poisson process over the bytes. */
	double weight = 1.0 / -expm1(-(double)size / (double)alloc->sampled);
	return (struct site_counts){
	        .bytes = (uint64_t)((double)size * weight + 0.5),
	        .objects = (uint64_t)((double)SITE_OBJECT * weight + 0.5),
	};
}

/* Tracks the object from now on, where objects are tracked. False without memory. */
static bool track(struct alloc *alloc, JNIEnv *jni, jobject object, uint32_t site, uint64_t size)
{
	return alloc->live == NULL || alloc->marks != NULL ||
	       live_objects_add(alloc->live, jni, (uintptr_t)jni, object, site, size);
}

/* The next mark of the site. Threads without counts of their own take turns. */
static uint32_t next_mark(struct alloc *alloc, JNIEnv *jni, uint32_t number)
{
	size_t copy = site_table_own_copy(alloc->sites, (uintptr_t)jni);
	struct site_counter *counter = site_table_counter(alloc->sites, copy, number);

	if (counter == NULL)
		return 0;
	if (copy != SITE_OWN_COPIES)
		return birth_marks_next(alloc->marks, &counter->births, number);
	os_mutex_lock(&alloc->marks_lock);
	uint32_t mark = birth_marks_next(alloc->marks, &counter->births, number);
	os_mutex_unlock(&alloc->marks_lock);
	return mark;
}

uint32_t site_counting_add(struct alloc *alloc, JNIEnv *jni, jobject object,
                           const struct site *site, uint64_t size)
{
	struct site_counts counts = site_counting_weigh(alloc, size);

	if (!site_table_add_allocated(alloc->sites, (uintptr_t)jni, site->number, &counts) ||
	    !track(alloc, jni, object, site->number, size)) {
		profile_out_of_memory(alloc->profile);
		return 0;
	}
	return alloc->marks == NULL ? 0 : next_mark(alloc, jni, site->number);
}

uint32_t site_counting_add_cached(struct alloc *alloc, JNIEnv *jni, jobject object,
                                  const struct cached_site *site, uint64_t size)
{
	struct site_counts counts = site_counting_weigh(alloc, size);

	site_counter_add(site->counter, &counts);
	if (alloc->marks != NULL)
		return birth_marks_next(alloc->marks, &site->counter->births, site->number);
	if (!track(alloc, jni, object, site->number, size))
		profile_out_of_memory(alloc->profile);
	return 0;
}
