/*
 * heap_tally.h: the objects that are on the heap when counting starts, where bytecode
 * reports allocations.
 */
#ifndef HPROF_PROFILE_HEAP_TALLY_H
#define HPROF_PROFILE_HEAP_TALLY_H

#include "profile/heap_tracking.h"

/* Counts the objects that are on the heap, at the empty trace, and has allocations count
 * from then on. Nothing tracks them: live=n. Live phase. */
void heap_tally_count(struct heap_tracking *tracking, JNIEnv *jni);

#endif
