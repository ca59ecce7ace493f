/*
 * source_vm.h: for which native method the VM has made an object that it tells of by
 * VMObjectAlloc.
 */
#ifndef HPROF_ALLOC_SOURCE_VM_H
#define HPROF_ALLOC_SOURCE_VM_H

#include "profile/profile.h"

enum { VM_NATIVES_MAX = 3 };

struct vm_natives {
	/* Native methods whose results are told by bytecode behind their calls, since compilers
	 * replace them by code for which there is no event: see alloc_instrumenter.c. */
	jmethodID told[VM_NATIVES_MAX];
	int count;
};

/* Looks for the methods. Live phase. */
void vm_natives_find(struct vm_natives *natives, JNIEnv *jni);

/* Whether the object that the event tells of is told by nobody else: the thread stands in a
 * native method that is none of these. On the event's thread. */
bool vm_natives_tell(const struct vm_natives *natives, jvmtiEnv *jvmti);

#endif
