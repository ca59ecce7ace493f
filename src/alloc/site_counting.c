/*
 * site_counting.c: see site_counting.h. Sites and tracked objects have locks of their own;
 * nothing here has one.
 */
#include "alloc/site_counting.h"

#include <math.h>

struct site_counts site_counting_weigh(const struct heap_tracking *tracking, uint64_t size)
{
	if (tracking->sampled == 0)
		return (struct site_counts){.bytes = size, .objects = SITE_OBJECT};
	/* The VM takes a sample at points of a Poisson process over the bytes. */
	double weight = 1.0 / -expm1(-(double)size / (double)tracking->sampled);
	return (struct site_counts){
	        .bytes = (uint64_t)((double)size * weight + 0.5),
	        .objects = (uint64_t)((double)SITE_OBJECT * weight + 0.5),
	};
}

/* Tracks the object from now on, where objects are tracked. False without memory. */
static bool track(struct heap_tracking *tracking, JNIEnv *jni, jobject object, uint32_t site,
                  uint64_t size)
{
	return tracking->live == NULL ||
	       live_objects_add(tracking->live, jni, (uintptr_t)jni, object, site, size);
}

bool site_counting_add(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                       const struct site *site, uint64_t size)
{
	struct site_counts counts = site_counting_weigh(tracking, size);

	if (site_add_allocated(tracking->sites, (uintptr_t)jni, site->number, &counts) &&
	    track(tracking, jni, object, site->number, size))
		return true;
	profile_out_of_memory(tracking->profile);
	return false;
}

void site_counting_add_recent(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                              const struct recent_site *site, uint64_t size)
{
	struct site_counts counts = site_counting_weigh(tracking, size);

	site_tally_add(site->tally, &counts);
	if (!track(tracking, jni, object, site->number, size))
		profile_out_of_memory(tracking->profile);
}
