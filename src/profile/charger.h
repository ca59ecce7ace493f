/*
 * charger.h: charges the open calls of threads that have no CPU-interval timer of
 * their own, from a thread of the agent.
 */
#ifndef HPROF_PROFILE_CHARGER_H
#define HPROF_PROFILE_CHARGER_H

#include "profile/tracker.h"

/* Whether CPU time can be charged this way: the system tells threads' CPU times. */
bool charger_works(void);

/* The body of the agent's thread (jvmtiStartFunction); tracker is the struct tracker.
 * Returns when tracker_stopped(). */
void JNICALL charger_run(jvmtiEnv *jvmti, JNIEnv *jni, void *tracker);

#endif
