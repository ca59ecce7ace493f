/*
 * initial_histogram.h: the objects that are on the heap when counting starts, where bytecode
 * reports allocations.
 */
#ifndef HPROF_ALLOC_INITIAL_HISTOGRAM_H
#define HPROF_ALLOC_INITIAL_HISTOGRAM_H

#include "alloc/alloc.h"

/* Counts the objects that are on the heap, at the empty trace, and has allocations count
 * from then on. Nothing tracks them: live=n. Live phase. */
void initial_histogram_count(struct alloc *alloc, JNIEnv *jni);

#endif
