/*
 * initial_objects.h: the objects that are on the heap when counting starts, where the VM reports
 * allocations.
 */
#ifndef HPROF_ALLOC_INITIAL_OBJECTS_H
#define HPROF_ALLOC_INITIAL_OBJECTS_H

#include "alloc/alloc.h"

/* Counts the objects that are on the heap, at the empty trace; allocations of other
 * threads are being counted meanwhile. Live phase. */
void initial_objects_count(struct alloc *alloc, JNIEnv *jni);

/* Tag of objects that were counted while initial_objects_count() runs. */
#define INITIAL_OBJECTS_TAG ((jlong)1 << 60)

#endif
