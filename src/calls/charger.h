/*
 * charger.h: charges the open calls of threads that have no CPU-interval timer of
 * their own, from a thread of the agent.
 */
#ifndef HPROF_CALLS_CHARGER_H
#define HPROF_CALLS_CHARGER_H

#include "calls/tracker.h"

/* When the next round begins, after one that began at began_ns, ended at now_ns (both by
 * os_monotonic_ns()) and used used_ns of a processor's time itself. round counts them.
 * Pure. */
uint64_t charger_next_ns(uint64_t began_ns, uint64_t now_ns, uint64_t used_ns, uint64_t round);

/* The body of the agent's thread (jvmtiStartFunction); tracker is the struct tracker.
 * Returns when tracker_is_stopped(). */
void JNICALL charger_run(jvmtiEnv *jvmti, JNIEnv *jni, void *tracker);

#endif
