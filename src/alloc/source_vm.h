/*
 * source_vm.h: for which native method the VM has made an object that it tells of by
 * VMObjectAlloc.
 */
#ifndef HPROF_ALLOC_SOURCE_VM_H
#define HPROF_ALLOC_SOURCE_VM_H

#include "profile/profile.h"

enum { SOURCE_VM_METHODS_MAX = 3 };

struct source_vm {
	/* Native methods whose results are told by bytecode behind their calls, since compilers
	 * replace them by code for which there is no event: see alloc_instrumenter.c. */
	jmethodID told[SOURCE_VM_METHODS_MAX];
	int count;
};

/* Looks for the methods. Live phase. */
void source_vm_find(struct source_vm *natives, JNIEnv *jni);

/* Whether the object that the event tells of is told by nobody else: the thread stands in a
 * native method that is none of these. On the event's thread. */
bool source_vm_is_only_report(const struct source_vm *natives, jvmtiEnv *jvmti);

#endif
