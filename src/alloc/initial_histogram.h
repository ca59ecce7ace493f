/*
 * initial_histogram.h: counts the objects that are on the heap when counting starts, if
 * bytecode reports allocations.
 */
#ifndef HPROF_ALLOC_INITIAL_HISTOGRAM_H
#define HPROF_ALLOC_INITIAL_HISTOGRAM_H

#include "alloc/alloc.h"

/* Counts the objects that are on the heap, at the empty trace, and starts the counting of
 * allocations. Objects are not tracked (live=n). Live phase. */
void initial_histogram_count(struct alloc *alloc, JNIEnv *jni);

#endif
