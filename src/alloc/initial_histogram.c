/*
 * initial_histogram.c: the objects that are on the heap when allocations begin to be told by
 * bytecode. Those before the VM's pause in which the heap is gone through were made before,
 * those after it count by themselves. Nobody follows them, so that their number is enough.
 */
#include "alloc/initial_histogram.h"

#include "alloc/class_histogram.h"

static bool add_sites(struct alloc *alloc, const struct class_histogram *counter, JNIEnv *jni)
{
	struct profile *profile = alloc->profile;
	const struct trace *empty = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);

	for (size_t i = 0; i < counter->length; i++) {
		const struct site_counts counts = {
		        .bytes = counter->totals[i].bytes,
		        .objects = counter->totals[i].objects * SITE_OBJECT,
		};
		if (counts.objects == 0)
			continue;
		const struct site *site =
		        site_table_intern(alloc->sites, empty, class_histogram_class(profile, i));
		if (site == NULL ||
		    !site_table_add_allocated(alloc->sites, (uintptr_t)jni, site->number, &counts))
			return false;
	}
	return true;
}

void initial_histogram_count(struct alloc *alloc, JNIEnv *jni)
{
	struct class_histogram counter = {.begun = &alloc->counting};

	(void)class_histogram_count(&counter, alloc->profile, jni);
	atomic_store(&alloc->counting, true);
	if (counter.totals == NULL || !add_sites(alloc, &counter, jni))
		profile_out_of_memory(alloc->profile);
	class_histogram_free(&counter);
}
