/*
 * load_trace.h: classes enter the class registry with the trace that prepares them, for
 * LOAD CLASS.
 */
#ifndef HPROF_VM_LOAD_TRACE_H
#define HPROF_VM_LOAD_TRACE_H

#include "profile/profile.h"

/* The calling thread prepares the class: adds it, if it is not known, with the thread's
 * trace. In the event only; takes the locks of the tables of classes, frames and traces. */
void load_trace_add_class(struct profile *profile, JNIEnv *jni, jclass class);

#endif
