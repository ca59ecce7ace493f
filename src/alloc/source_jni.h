/*
 * source_jni.h: tells of each object that native code makes through JNI, by functions
 * of our own in the VM's table of JNI functions. What bytecode makes, and what the VM makes
 * for itself and in other JNI functions, is not told: of what ThrowNew makes, the exception
 * is, and not its message and its stack trace.
 *
 * Process-wide, without a lock; any thread of the program comes through the functions, at
 * any time, and is inside (active_callbacks.h) while it tells.
 */
#ifndef HPROF_ALLOC_SOURCE_JNI_H
#define HPROF_ALLOC_SOURCE_JNI_H

#include <jvmti.h>
#include <stdbool.h>

/* An object was made: called on the thread that did it, behind the JNI function and, where
 * that has called a constructor, behind the constructor. No exception is pending, and none
 * may be left behind. The reference is the program's, or goes after the call: not to be
 * kept. What is made through JNI in the call is told, too, within it. */
typedef void source_jni_callback(void *argument, JNIEnv *jni, jobject object);

/* Who is told. The caller's: it stays as it is until source_jni_end has been called
 * and everybody has left (active_callbacks_wait). */
struct source_jni_listener {
	source_jni_callback *made;
	void *argument;
};

/* Tells this listener, and nobody else, from now on. False when the VM does not take the
 * functions (JVM TI, SetJNIFunctionTable) or has no memory for the table: then nothing is
 * told. Functions that another agent puts into the table at the same moment may be lost;
 * where an agent has taken ours out of the table for functions that do not call them,
 * nothing is told of what these make. Live phase, any thread; not at the same time on two.
 * No exception may be pending. */
bool source_jni_begin(jvmtiEnv *jvmti, JNIEnv *jni, const struct source_jni_listener *listener);

/* Ends that, if it is this listener that is told; who is inside may still tell. The
 * functions stay in the table, where another agent may have built upon them, and only pass
 * calls on. Any thread, any phase; the listener need not have begun. */
void source_jni_end(const struct source_jni_listener *listener);

#endif
