/*
 * heap_tally.c: the objects that are on the heap when allocations begin to be told by
 * bytecode. Those before the VM's pause in which the heap is gone through were made before,
 * those after it count by themselves. Nobody follows them, so that their number is enough.
 */
#include "profile/heap_tracking.h"

#include "profile/class_registry.h"

#include <stdlib.h>

struct tally {
	struct heap_tracking *tracking;
	struct site_counts *counts; /* by class serial */
	size_t length;
};

/* Called by the VM, which allows nothing but memory. */
static jint JNICALL add_object(jlong class_tag, jlong size, jlong *tag, jint length, void *argument)
{
	struct tally *tally = argument;
	const struct class_record *class = class_registry_by_tag(class_tag);
	(void)tag;
	(void)length;

	atomic_store_explicit(&tally->tracking->counting, true, memory_order_release);
	if (class == NULL || class->serial - CLASS_SERIAL_BASE >= tally->length)
		return JVMTI_VISIT_OBJECTS;
	struct site_counts *counts = &tally->counts[class->serial - CLASS_SERIAL_BASE];
	counts->bytes += (uint64_t)size;
	counts->objects += SITE_OBJECT;
	return JVMTI_VISIT_OBJECTS;
}

static void enter_class(void *argument, JNIEnv *jni, jclass class)
{
	struct heap_tracking *tracking = argument;
	(void)jni;
	(void)class_registry_find(tracking->profile->classes, class);
}

static bool add_sites(const struct tally *tally, JNIEnv *jni)
{
	struct heap_tracking *tracking = tally->tracking;
	struct model *model = &tracking->profile->model;
	const struct trace *empty = trace_by_serial(model->traces, TRACE_SERIAL_EMPTY);

	for (uint32_t i = 0; i < tally->length; i++) {
		if (tally->counts[i].objects == 0)
			continue;
		const struct class_record *class =
		        class_by_serial(model->classes, CLASS_SERIAL_BASE + i);
		const struct site *site = site_intern(tracking->sites, empty, class);
		if (site == NULL || !site_add_allocated(tracking->sites, (uintptr_t)jni,
		                                        site->number, &tally->counts[i]))
			return false;
	}
	return true;
}

void heap_start_tally(struct heap_tracking *tracking, JNIEnv *jni)
{
	struct profile *profile = tracking->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	struct tally tally = {.tracking = tracking};
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = add_object};

	profile_each_class(profile, jni, enter_class, tracking);
	tally.length = class_count(profile->model.classes) + 1;
	tally.counts = calloc(tally.length, sizeof(*tally.counts));
	if (tally.counts != NULL)
		(void)(*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &tally);
	atomic_store(&tracking->counting, true);
	if (tally.counts == NULL || !add_sites(&tally, jni))
		profile_out_of_memory(profile);
	free(tally.counts);
}
