/*
 * initial_histogram.c: counts the objects that are on the heap when bytecode begins to report
 * allocations. Objects older than the VM's pause for the heap walk are counted by the walk,
 * later ones by their own reports. They are not tracked, so a histogram is enough.
 */
#include "alloc/initial_histogram.h"

#include "alloc/class_histogram.h"

static bool add_sites(struct alloc *alloc, const struct class_histogram *histogram, JNIEnv *jni)
{
	struct profile *profile = alloc->profile;
	const struct trace *empty = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);

	for (size_t i = 0; i < histogram->length; i++) {
		const struct site_counts counts = {
		        .bytes = histogram->totals[i].bytes,
		        .objects = histogram->totals[i].objects * SITE_OBJECT,
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
	struct class_histogram histogram = {.begun = &alloc->counting};

	(void)class_histogram_count(&histogram, alloc->profile, jni);
	atomic_store(&alloc->counting, true);
	if (histogram.totals == NULL || !add_sites(alloc, &histogram, jni))
		profile_out_of_memory(alloc->profile);
	class_histogram_free(&histogram);
}
