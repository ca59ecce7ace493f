/*
 * initial_objects.h: counts the objects that are on the heap when counting starts, if the VM
 * reports allocations.
 */
#ifndef HPROF_ALLOC_INITIAL_OBJECTS_H
#define HPROF_ALLOC_INITIAL_OBJECTS_H

#include "alloc/alloc.h"

/* Counts the objects that are on the heap, at the empty trace; other threads'
 * allocations are counted at the same time. Live phase. */
void initial_objects_count(struct alloc *alloc, JNIEnv *jni);

/* Tag of objects that were counted while initial_objects_count() runs. */
#define INITIAL_OBJECTS_TAG ((jlong)1 << 60)

#endif
