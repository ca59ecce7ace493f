/*
 * walk_trial.h: trials of our own walk (java_walk.h) on frames that the VM describes: the stack of
 * a thread that is in a callback, and the methods in code that has just been compiled. What a
 * version of the VM keeps in another way than we know shows at the first of them.
 */
#ifndef HPROF_HOTSPOT_WALK_TRIAL_H
#define HPROF_HOTSPOT_WALK_TRIAL_H

#include "hotspot/walk_starter.h"

#include <stdatomic.h>

enum walk_trial_result {
	WALK_UNTRIED,
	WALK_RIGHT,
	WALK_WRONG /* for good */
};

/* Results so far. Written in callbacks, read in signal handlers; no lock. */
struct walk_trial {
	_Atomic int stacks; /* enum walk_trial_result */
	_Atomic int code;
	_Atomic uint32_t stacks_tried;
	_Atomic uint32_t code_tried;
};

/* Walks the stack of the calling thread, whose JNIEnv jni is, and compares it with that from JVM
 * TI. The first stacks only, later calls return at once. In a callback in which the thread may have
 * Java frames; live phase. */
void walk_trial_stack(struct walk_trial *trial, const struct walk_starter *starter, jvmtiEnv *jvmti,
                      JNIEnv *jni);

/* Compares the frames at each address of compiled code with those that its event has (the
 * compile_info of CompiledMethodLoad, of any kind; NULL without). The first methods only, later
 * calls return at once. In the event's callback, which keeps the code alive. */
void walk_trial_code(struct walk_trial *trial, const struct walk_starter *starter,
                     const void *compile_info);

#endif
