/*
 * park_cause.h: whether a thread that parks waits for a lock of java.util.concurrent. The thread
 * names a blocker: an AbstractOwnableSynchronizer that a thread owns is a lock, and so are those of
 * ReentrantLock and ReentrantReadWriteLock, which have no owner between two, or with readers.
 */
#ifndef HPROF_VM_PARK_CAUSE_H
#define HPROF_VM_PARK_CAUSE_H

#include "profile/profile.h"
#include "vm/wait_calls.h"

/* The fields of the JDK that show it. */
struct park_fields {
	jclass synchronizer; /* a global reference, or NULL if the JDK is not as expected */
	jfieldID blocker;
	jfieldID owner;
};

/* Finds them; for the life of the VM. Live phase, no exception pending. */
void park_fields_find(struct park_fields *fields, JNIEnv *jni);

/* The cause of the wait of a thread that parks: WAIT_LOCK or WAIT_SLEEP. Creates a few local
 * references. Any thread. */
enum wait_cause park_cause(const struct park_fields *fields, jvmtiEnv *jvmti, JNIEnv *jni,
                           jthread thread);

/* The same for the calling thread, which is about to park, in a native method. */
enum wait_cause park_cause_of_caller(const struct park_fields *fields, jvmtiEnv *jvmti,
                                     JNIEnv *jni);

#endif
