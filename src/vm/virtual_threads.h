/*
 * virtual_threads.h: what JVM TI headers before JDK 21 lack for virtual threads.
 * Availability is checked at run time.
 */
#ifndef HPROF_VM_VIRTUAL_THREADS_H
#define HPROF_VM_VIRTUAL_THREADS_H

#include <jvmti.h>
#include <stdbool.h>

/* Sets the can_support_virtual_threads bit (JVM TI 21), which our headers may
 * not name. */
void virtual_threads_add_capability(jvmtiCapabilities *capabilities);

/* HotSpot's extension function that returns the virtual thread that a platform
 * thread carries. Arguments: jthread carrier, jthread *virtual_thread (out: a
 * local reference or NULL). Needs the capability of virtual_threads_add_capability(). */
typedef jvmtiError JNICALL virtual_thread_of(jvmtiEnv *jvmti, ...);

/* That function, or NULL where the VM has none. OnLoad or live phase. */
virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti);

/* The event of JVM TI 21 that a virtual thread ends: on the thread itself. Can be
 * enabled with the capability of virtual_threads_add_capability(). */
#define EVENT_VIRTUAL_THREAD_END ((jvmtiEvent)88)

/* Callbacks with room for those of JVM TI 21. */
union event_callbacks {
	jvmtiEventCallbacks named;
	void (*all[88 - JVMTI_MIN_EVENT_TYPE_VAL + 1])(void);
};

/* Sets the callback of EVENT_VIRTUAL_THREAD_END. */
void virtual_threads_set_end_callback(union event_callbacks *callbacks,
                                      jvmtiEventThreadEnd callback);

/* Enables HotSpot's extension events that a virtual thread has been mounted on the calling thread
 * and is about to be unmounted, also when it ends; both NULL disables them. Arguments of the
 * callbacks: JNIEnv *jni, jthread virtual_thread. Needs the capability of
 * virtual_threads_add_capability(). False where the VM has no such events. OnLoad or live phase. */
bool virtual_threads_set_mount_callbacks(jvmtiEnv *jvmti, jvmtiExtensionEvent mounted,
                                         jvmtiExtensionEvent unmounted);

/* A global reference to the class of virtual threads; NULL if the VM has
 * none. Live phase. */
jclass virtual_threads_class(jvmtiEnv *jvmti, JNIEnv *jni);

/* A local reference to the class of the virtual threads that come off their carriers,
 * or NULL when there has not been one yet. Does not initialise it, which would start
 * threads. Live phase. */
jclass virtual_threads_used_class(jvmtiEnv *jvmti, JNIEnv *jni);

/* The field that says whether a virtual thread has started, of the class of
 * virtual_threads_used_class(), or NULL where the class has none. Live phase. */
jfieldID virtual_threads_state_field(JNIEnv *jni, jclass class);

/* Whether the thread has started, by that field. JVM TI functions read fields that the
 * constructor sets, and HotSpot ends when they are not set yet: for a virtual thread that was
 * found on the heap, ask this first. */
bool virtual_threads_has_started(JNIEnv *jni, jthread thread, jfieldID state_field);

#endif
