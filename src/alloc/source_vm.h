/*
 * source_vm.h: which VMObjectAlloc events are the only report of their object, by the
 * native method that the VM allocated it for.
 */
#ifndef HPROF_ALLOC_SOURCE_VM_H
#define HPROF_ALLOC_SOURCE_VM_H

#include "profile/profile.h"

enum { SOURCE_VM_METHODS_MAX = 3 };

struct source_vm {
	/* Native methods whose results are reported by bytecode after their calls, since compilers
	 * replace them by code without an event: see alloc_instrumenter.c. */
	jmethodID reported[SOURCE_VM_METHODS_MAX];
	int count;
};

/* Finds the methods. Live phase. */
void source_vm_find(struct source_vm *natives, JNIEnv *jni);

/* Whether nothing else reports the object of the event: the top frame is a native method
 * that is none of these. On the event's thread. */
bool source_vm_is_only_report(const struct source_vm *natives, jvmtiEnv *jvmti);

#endif
