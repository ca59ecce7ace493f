/*
 * vm_anchor.h: the place where HotSpot notes, for each thread, its last Java
 * frame while it runs code of the VM. Interpreted code notes only where its stack
 * ends, and the VM's walker for signal handlers then sees no stack at all: with
 * the return address, which lies on that stack, it does. HotSpot publishes where
 * these things are, for debuggers.
 */
#ifndef HPROF_PROFILE_VM_ANCHOR_H
#define HPROF_PROFILE_VM_ANCHOR_H

#include "profile/profile.h"

/* Where a thread's note is, counted from its JNIEnv. */
struct vm_anchor {
	bool known;
	intptr_t stack_pointer;
	intptr_t return_address;
};

/* Finds out; known is false in a VM that does not tell. Live phase. */
void vm_anchor_find(struct vm_anchor *anchor, struct profile *profile, JNIEnv *jni);

/* Adds the return address to the note of the calling thread, whose JNIEnv jni is.
 * False when there is no note, or the address is in it. Signal-safe; in a guarded
 * call, and only when the walker has said that the thread does not run Java code.
 */
bool vm_anchor_complete(const struct vm_anchor *anchor, JNIEnv *jni);

/* Takes it out again. Signal-safe. */
void vm_anchor_restore(const struct vm_anchor *anchor, JNIEnv *jni);

#endif
