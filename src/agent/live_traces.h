/*
 * live_traces.h: the answer to DUMP TRACES: the current stacks of all threads.
 */
#ifndef HPROF_AGENT_LIVE_TRACES_H
#define HPROF_AGENT_LIVE_TRACES_H

#include "profile/profile.h"

/* Writes a trace for each live thread that runs Java code, with the thread's serial
 * and up to the depth of the control settings, also if that trace was written before. Agent
 * threads and virtual threads are omitted. False when the VM refuses. Live phase; under the dump
 * lock. */
bool live_traces_write(struct profile *profile, JNIEnv *jni);

#endif
