/*
 * charger.h: an agent thread that charges CPU time to the open calls of all threads, unless
 * their CPU timers do.
 */
#ifndef HPROF_CALLS_CHARGER_H
#define HPROF_CALLS_CHARGER_H

#include "calls/tracker.h"

/* When the next round starts, after a round that started at began_ns, ended at now_ns
 * (both by os_monotonic_ns()) and used used_ns of CPU time; round is its number. Pure. */
uint64_t charger_next_ns(uint64_t began_ns, uint64_t now_ns, uint64_t used_ns, uint64_t round);

/* Runs the agent thread (jvmtiStartFunction); tracker is the struct tracker. Returns when
 * tracker_is_stopped(). */
void JNICALL charger_run(jvmtiEnv *jvmti, JNIEnv *jni, void *tracker);

#endif
