/*
 * walk_starter.h: what a walk of an interrupted Java thread (walk_start.h) reads of the VM.
 */
#ifndef HPROF_HOTSPOT_WALK_STARTER_H
#define HPROF_HOTSPOT_WALK_STARTER_H

#include "hotspot/java_walk.h"
#include "os/os_machine.h"

/* Constant after the start. */
struct walk_starter {
	struct java_walker walker;
	struct os_code_range code; /* of Java methods, the interpreter and the VM's stubs */
	intptr_t thread_state;     /* counted from a thread's JNIEnv */
	int32_t state_in_java;
	int32_t state_in_java_trans;
	bool compiled_links; /* compiled frames are linked by the frame pointer */
};

/* Finds what this needs; false if it is unavailable. Live phase. */
bool walk_starter_find(struct walk_starter *starter, jvmtiEnv *jvmti, JNIEnv *jni);

#endif
