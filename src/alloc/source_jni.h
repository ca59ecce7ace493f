/*
 * source_jni.h: reports each object that native code allocates through JNI, by our own
 * functions in the VM's table of JNI functions. Objects that bytecode allocates, or the VM for
 * itself or in other JNI functions, are not reported: of ThrowNew's objects, the exception
 * is, its message and stack trace are not.
 *
 * Process-wide, without a lock. Any thread of the program may run the functions at any time; it
 * is a callback in flight (active_callbacks.h) during a report.
 */
#ifndef HPROF_ALLOC_SOURCE_JNI_H
#define HPROF_ALLOC_SOURCE_JNI_H

#include <jvmti.h>
#include <stdbool.h>

/* Called for a new object on the thread that allocated it, after the JNI function and the
 * constructor that it called, if any. No exception is pending, and the callback must leave
 * none. The reference is the program's, or is deleted after the call: don't keep it. An object
 * that the callback allocates through JNI is reported within the call. */
typedef void source_jni_callback(void *argument, JNIEnv *jni, jobject object);

/* The receiver of reports. Owned by the caller, and constant until source_jni_end() was called
 * and no callback is in flight (active_callbacks_wait). */
struct source_jni_listener {
	source_jni_callback *allocated;
	void *argument;
};

/* Reports to this listener, and no other, from now on. False if the VM refuses the
 * functions (JVM TI, SetJNIFunctionTable) or has no memory for the table: then nothing is
 * reported. Functions that another agent puts into the table at the same time may be lost;
 * where an agent has replaced ours by functions that do not call them, their objects are
 * not reported. Live phase, one thread at a time, without a pending exception. */
bool source_jni_begin(jvmtiEnv *jvmti, JNIEnv *jni, const struct source_jni_listener *listener);

/* Ends the reports to this listener, if it is the current one; callbacks in flight may still
 * report. The functions stay in the table, since another agent may call them, and only pass
 * calls on. Any thread, any phase, also for a listener that was never started. */
void source_jni_end(const struct source_jni_listener *listener);

#endif
