/*
 * virtual_threads.h: what JVM TI headers before JDK 21 lack for virtual threads.
 * Asked for at run time; a VM without them says so.
 */
#ifndef HPROF_PROFILE_VIRTUAL_THREADS_H
#define HPROF_PROFILE_VIRTUAL_THREADS_H

#include <jvmti.h>

/* Sets the can_support_virtual_threads bit (JVM TI 21), which our headers may
 * not name. */
void virtual_threads_want(jvmtiCapabilities *capabilities);

/* HotSpot's extension function that tells which virtual thread a platform
 * thread carries. Arguments: jthread carrier, jthread *virtual_thread (out: a
 * local reference or NULL). Needs the capability of virtual_threads_want(). */
typedef jvmtiError JNICALL virtual_thread_of(jvmtiEnv *jvmti, ...);

/* That function, or NULL where the VM has none. OnLoad or live phase. */
virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti);

#endif
