/*
 * frame_anchor.h: the place where HotSpot notes, for each thread, its last Java
 * frame while it runs code of the VM. The VM's walker for signal handlers starts
 * from that note, and finds no stack at all in two cases that can be corrected:
 * - Interpreted code notes only where its stack ends. The return address lies on
 *   that stack.
 * - Code of the first compiler calls the VM through stubs whose own frame the
 *   walker does not trust. The frame above it is that of the Java method.
 */
#ifndef HPROF_HOTSPOT_FRAME_ANCHOR_H
#define HPROF_HOTSPOT_FRAME_ANCHOR_H

#include "hotspot/vm_structs.h"

#include <jvmti.h>

/* Where a thread's note and state are, counted from its JNIEnv. */
struct frame_anchor {
	bool known;
	intptr_t stack_pointer;
	intptr_t return_address;
	intptr_t frame_pointer;
	intptr_t thread_state;
	int32_t state_in_vm; /* the thread's state while it runs code of the VM */
};

/* What was noted before it was changed. */
struct frame_anchor_note {
	bool changed;
	void *stack_pointer;
	void *return_address;
	void *frame_pointer;
};

/* Finds the offsets; known is false in a VM that does not export them. Live phase. */
void frame_anchor_find(struct frame_anchor *anchor, const struct vm_structs *structs,
                       jvmtiEnv *jvmti, JNIEnv *jni);

/* The following change the note of the calling thread, whose JNIEnv jni is. They
 * are signal-safe; to be used in a guarded call, when the walker has reported that
 * the thread does not run Java code. before, all zero at first, keeps what was noted
 * before the first change. */

/* Adds the return address. False when there is no note, or the address is in it. */
bool frame_anchor_complete(const struct frame_anchor *anchor, JNIEnv *jni,
                           struct frame_anchor_note *before);

/* Moves the note one frame up. False when there is no note, its frame pointer leads
 * nowhere, or another thread may be reading the note now. */
bool frame_anchor_leave_frame(const struct frame_anchor *anchor, JNIEnv *jni,
                              struct frame_anchor_note *before);

/* Puts back what was noted, if it was changed. Signal-safe. */
void frame_anchor_restore(const struct frame_anchor *anchor, JNIEnv *jni,
                          const struct frame_anchor_note *before);

#endif
