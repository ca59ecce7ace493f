/*
 * class_histogram.h: the number and bytes of the objects of each class on the heap.
 */
#ifndef HPROF_ALLOC_CLASS_HISTOGRAM_H
#define HPROF_ALLOC_CLASS_HISTOGRAM_H

#include "profile/profile.h"

struct class_total {
	uint64_t bytes;
	uint64_t objects;
};

struct class_histogram {
	struct class_total *totals; /* by class serial, less CLASS_SERIAL_BASE */
	size_t length;
	/* If not NULL, set in the VM's pause, before the first object is counted. */
	_Atomic bool *begun;
	/* If not NULL, whether an object is counted elsewhere; tag is its own (jvmtiHeapCallbacks).
	 * In the VM's pause, which allows nothing but memory. */
	bool (*elsewhere)(void *argument, const struct class_record *class, uint64_t size,
	                  const jlong *tag);
	void *argument;
};

/* Counts the objects on the heap, garbage that has not been collected included. On
 * a Java thread, in the live phase; totals and length are 0. False without memory (not
 * reported) or when the VM refuses. */
bool class_histogram_count(struct class_histogram *counter, struct profile *profile, JNIEnv *jni);

/* The class of totals[number]. */
const struct class_record *class_histogram_class(struct profile *profile, size_t number);

void class_histogram_free(struct class_histogram *counter);

#endif
