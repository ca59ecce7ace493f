/*
 * heap_summary.c: see heap_summary.h.
 */
#include "agent/heap_summary.h"

#include <string.h>

/* In a pause of the VM: neither JNI nor JVM TI. */
static jint JNICALL count_object(jlong class_tag, jlong size, jlong *tag, jint length,
                                 void *argument)
{
	struct heap_summary_record *summary = argument;
	(void)class_tag;
	(void)tag;
	(void)length;

	summary->live_bytes += (uint64_t)size;
	summary->live_instances++;
	return JVMTI_VISIT_OBJECTS;
}

bool heap_summary_write(struct profile *profile)
{
	jvmtiEnv *jvmti = profile->jvmti;
	struct heap_summary_record summary = {0};
	jvmtiHeapCallbacks callbacks;

	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.heap_iteration_callback = count_object;
	/* The iteration visits dead objects too until they are collected. */
	(void)(*jvmti)->ForceGarbageCollection(jvmti);
	if ((*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &summary) != JVMTI_ERROR_NONE)
		return false;
	writer_heap_summary(profile->writer, &summary);
	return true;
}
