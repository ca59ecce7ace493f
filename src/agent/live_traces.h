/*
 * live_traces.h: where all threads are at this moment.
 */
#ifndef HPROF_AGENT_LIVE_TRACES_H
#define HPROF_AGENT_LIVE_TRACES_H

#include "profile/profile.h"

/* Writes a trace for each live thread that runs Java code, with the thread's serial
 * and up to the depth of the control settings; one that was written before is written
 * again. The agent's own threads and virtual threads have none. False when the VM
 * refuses. Live phase; under the dump lock. */
bool live_traces_write(struct profile *profile, JNIEnv *jni);

#endif
