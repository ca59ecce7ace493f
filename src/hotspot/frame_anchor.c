/*
 * frame_anchor.c: see frame_anchor.h. A thread's note is changed only by itself, in its
 * signal handler, while it runs code of the VM: nobody else looks at it then, and
 * the VM itself completes it the same way before somebody may.
 */
#include "hotspot/frame_anchor.h"

#include "os/os_machine.h"

#include <string.h>

enum { FRAME_BYTES_MAX = 8192 }; /* of a stub: it saves all registers */

void frame_anchor_find(struct frame_anchor *anchor, const struct vm_structs *structs,
                       jvmtiEnv *jvmti, JNIEnv *jni)
{
	uint64_t note;
	uint64_t stack_pointer;
	uint64_t return_address;
	uint64_t frame_pointer;

	anchor->known = false;
	if (!vm_structs_offset(structs, "JavaThread", "_anchor", &note) ||
	    !vm_structs_thread_state(structs, jvmti, jni, &anchor->thread_state) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_sp", &stack_pointer) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_pc", &return_address) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_fp", &frame_pointer) ||
	    !vm_structs_constant(structs, "_thread_in_vm", &anchor->state_in_vm))
		return;
	intptr_t offset = vm_structs_jni_offset(jvmti, jni);
	anchor->stack_pointer = (intptr_t)(note + stack_pointer) - offset;
	anchor->return_address = (intptr_t)(note + return_address) - offset;
	anchor->frame_pointer = (intptr_t)(note + frame_pointer) - offset;
	anchor->known = offset != 0;
}

/* A word of the VM's thread, which the thread may have been about to change. */
static void *volatile *word_at(JNIEnv *jni, intptr_t offset)
{
	return (void *volatile *)((intptr_t)jni + offset);
}

static void keep(const struct frame_anchor *anchor, JNIEnv *jni, struct frame_anchor_note *before)
{
	if (before->changed)
		return;
	before->stack_pointer = *word_at(jni, anchor->stack_pointer);
	before->return_address = *word_at(jni, anchor->return_address);
	before->frame_pointer = *word_at(jni, anchor->frame_pointer);
	before->changed = true;
}

bool frame_anchor_complete(const struct frame_anchor *anchor, JNIEnv *jni,
                           struct frame_anchor_note *before)
{
	if (!anchor->known)
		return false;
	void *stack_pointer = *word_at(jni, anchor->stack_pointer);
	void *volatile *return_address = word_at(jni, anchor->return_address);
	void *address = NULL;
	if (stack_pointer == NULL || *return_address != NULL ||
	    !os_call_return_address(stack_pointer, &address))
		return false;
	keep(anchor, jni, before);
	*return_address = address;
	return true;
}

bool frame_anchor_leave_frame(const struct frame_anchor *anchor, JNIEnv *jni,
                              struct frame_anchor_note *before)
{
	struct os_frame caller;

	if (!anchor->known ||
	    *(volatile int32_t *)((intptr_t)jni + anchor->thread_state) != anchor->state_in_vm)
		return false;
	char *stack_pointer = *word_at(jni, anchor->stack_pointer);
	char *frame_pointer = *word_at(jni, anchor->frame_pointer);
	if (stack_pointer == NULL || frame_pointer < stack_pointer ||
	    frame_pointer - stack_pointer > FRAME_BYTES_MAX ||
	    (uintptr_t)frame_pointer % sizeof(void *) != 0 ||
	    !os_frame_caller(frame_pointer, &caller))
		return false;
	keep(anchor, jni, before);
	*word_at(jni, anchor->stack_pointer) = caller.stack_pointer;
	*word_at(jni, anchor->return_address) = caller.program_counter;
	*word_at(jni, anchor->frame_pointer) = caller.frame_pointer;
	return true;
}

void frame_anchor_restore(const struct frame_anchor *anchor, JNIEnv *jni,
                          const struct frame_anchor_note *before)
{
	if (!before->changed)
		return;
	*word_at(jni, anchor->stack_pointer) = before->stack_pointer;
	*word_at(jni, anchor->return_address) = before->return_address;
	*word_at(jni, anchor->frame_pointer) = before->frame_pointer;
}
