/*
 * alloc_record.h: allocations as they are told, by an event of the VM or by bytecode:
 * finds the site of each, by the calling thread's stack and the class, and counts it there.
 * On the thread that allocates, without a lock but for sites and stacks that are new.
 */
#ifndef HPROF_ALLOC_ALLOC_RECORD_H
#define HPROF_ALLOC_ALLOC_RECORD_H

#include "alloc/alloc.h"

/* The VM tells an object, with its class and size; the thread stands where it was made. */
void told_object(struct alloc *alloc, JNIEnv *jni, jobject object, jclass class, uint64_t size);

/* The same for an object that native code has made through JNI; nobody has asked for its class
 * and size. No exception is pending, here and below. */
void told_by_jni(struct alloc *alloc, JNIEnv *jni, jobject object);

/* From here on, a native method of the agent is on top of the stack, which bytecode has
 * called. */

/* An instance of the class, or an array of that length. */
void told_class(struct alloc *alloc, JNIEnv *jni, jclass class, uint32_t length);

/* An instance of the class that has that internal name where the native method was called. */
void told_name(struct alloc *alloc, JNIEnv *jni, jstring name);

/* An object that is there. */
void told_reference(struct alloc *alloc, JNIEnv *jni, jobject object);

#endif
