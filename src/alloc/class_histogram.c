/*
 * class_histogram.c: see class_histogram.h. Classes have their record as tag; those that have none
 * yet get one first.
 */
#include "alloc/class_histogram.h"

#include "vm/class_registry.h"

#include <stdlib.h>

/* Called by the VM, which allows nothing but memory. */
static jint JNICALL add_object(jlong class_tag, jlong size, jlong *tag, jint length, void *argument)
{
	struct class_histogram *counter = argument;
	const struct class_record *class = class_registry_by_tag(class_tag);
	(void)length;

	if (counter->begun != NULL)
		atomic_store_explicit(counter->begun, true, memory_order_release);
	if (class == NULL || class->serial - CLASS_SERIAL_BASE >= counter->length)
		return JVMTI_VISIT_OBJECTS;
	if (counter->elsewhere != NULL &&
	    counter->elsewhere(counter->argument, class, (uint64_t)size, tag))
		return JVMTI_VISIT_OBJECTS;
	struct class_total *total = &counter->totals[class->serial - CLASS_SERIAL_BASE];
	total->bytes += (uint64_t)size;
	total->objects++;
	return JVMTI_VISIT_OBJECTS;
}

static void enter_class(void *argument, JNIEnv *jni, jclass class)
{
	struct profile *profile = argument;
	(void)jni;
	(void)class_registry_find(profile->classes, class);
}

bool class_histogram_count(struct class_histogram *counter, struct profile *profile, JNIEnv *jni)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = add_object};

	profile_each_class(profile, jni, enter_class, profile);
	counter->length = class_table_count(profile->model.classes) + 1;
	counter->totals = calloc(counter->length, sizeof(*counter->totals));
	return counter->totals != NULL && (*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks,
	                                                               counter) == JVMTI_ERROR_NONE;
}

const struct class_record *class_histogram_class(struct profile *profile, size_t number)
{
	return class_table_find(profile->model.classes, CLASS_SERIAL_BASE + (uint32_t)number);
}

void class_histogram_free(struct class_histogram *counter)
{
	free(counter->totals);
	counter->totals = NULL;
}
