/*
 * walk_start.h: where on the stack of an interrupted Java thread a walk of its Java
 * frames (java_walk.h) can begin.
 */
#ifndef HPROF_HOTSPOT_WALK_START_H
#define HPROF_HOTSPOT_WALK_START_H

#include "hotspot/java_walk.h"
#include "os/os_machine.h"

/* Of walk_start(): it is not known how the stack goes on; or a limit was reached before that was
 * found out. */
enum { WALK_UNKNOWN = -1, WALK_TOO_LONG = -2 };

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

/* Writes the innermost frames, at most depth, of the calling thread, interrupted in
 * context; jni is its JNIEnv. Returns their number; 0 when the thread runs no Java method;
 * or WALK_UNKNOWN or WALK_TOO_LONG. Signal-safe. */
int32_t walk_start(const struct walk_starter *starter, JNIEnv *jni, const void *context,
                   struct raw_frame *frames, uint32_t depth);

#endif
