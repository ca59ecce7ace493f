/*
 * load_trace.h: at which trace a thread prepares a class, for its LOAD CLASS.
 */
#ifndef HPROF_PROFILE_LOAD_TRACE_H
#define HPROF_PROFILE_LOAD_TRACE_H

#include "profile/profile.h"

/* The serial of the calling thread's trace, which has been written: that of the empty one
 * before the live phase, without frames, or without memory (reported). Any thread; takes
 * the locks of the tables. */
uint32_t load_trace_serial(struct profile *profile, JNIEnv *jni);

#endif
