/*
 * initial_histogram.c: the objects that are on the heap when allocations begin to be told by
 * bytecode. Those before the VM's pause in which the heap is gone through were made before,
 * those after it count by themselves. Nobody follows them, so that their number is enough.
 */
#include "alloc/initial_histogram.h"

#include "alloc/class_histogram.h"

static bool add_sites(struct heap_tracking *tracking, const struct class_tally *tally, JNIEnv *jni)
{
	struct profile *profile = tracking->profile;
	const struct trace *empty = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);

	for (size_t i = 0; i < tally->length; i++) {
		const struct site_counts counts = {
		        .bytes = tally->totals[i].bytes,
		        .objects = tally->totals[i].objects * SITE_OBJECT,
		};
		if (counts.objects == 0)
			continue;
		const struct site *site =
		        site_intern(tracking->sites, empty, class_tally_class(profile, i));
		if (site == NULL ||
		    !site_add_allocated(tracking->sites, (uintptr_t)jni, site->number, &counts))
			return false;
	}
	return true;
}

void heap_tally_count(struct heap_tracking *tracking, JNIEnv *jni)
{
	struct class_tally tally = {.begun = &tracking->counting};

	(void)class_tally_take(&tally, tracking->profile, jni);
	atomic_store(&tracking->counting, true);
	if (tally.totals == NULL || !add_sites(tracking, &tally, jni))
		profile_out_of_memory(tracking->profile);
	class_tally_free(&tally);
}
