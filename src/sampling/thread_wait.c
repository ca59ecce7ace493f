/*
 * thread_wait.c: see thread_wait.h.
 */
#include "sampling/thread_wait.h"

#include "vm/frame_resolver.h"
#include "vm/wait_calls.h"

#include <stdlib.h>
#include <string.h>

bool wait_finder_init(struct wait_finder *finder, struct profile *profile, uint32_t depth)
{
	*finder = (struct wait_finder){
	        .profile = profile,
	        .depth = (jint)depth,
	        .stack = calloc(depth, sizeof(*finder->stack)),
	};
	return finder->stack != NULL;
}

void wait_finder_free(struct wait_finder *finder)
{
	free(finder->stack);
	finder->stack = NULL;
}

void wait_finder_live(struct wait_finder *finder, JNIEnv *jni)
{
	/* Of the JDK: a JVM that is attached to again and again has one reference. */
	static struct park_fields fields;

	if (fields.synchronizer == NULL)
		park_fields_find(&fields, jni);
	finder->park_fields = fields;
}

bool wait_finder_stack(struct wait_finder *finder, JNIEnv *jni, jthread thread,
                       struct thread_wait *wait)
{
	struct profile *profile = finder->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;

	if ((*jvmti)->GetStackTrace(jvmti, thread, 0, finder->depth, finder->stack, &count) !=
	    JVMTI_ERROR_NONE)
		return false;
	for (jint i = 0; i < count; i++) {
		frame_resolver_learn(profile->resolver, jni, &finder->stack[i].method, 1);
		wait->frames[i].method = finder->stack[i].method;
		wait->frames[i].bci = (int32_t)finder->stack[i].location;
	}
	wait->frame_count = (uint32_t)count;
	return true;
}

static struct classfile_name name_of(const char *text, size_t length)
{
	return (struct classfile_name){.bytes = (const uint8_t *)text,
	                               .length = (uint16_t)(length > UINT16_MAX ? 0 : length)};
}

/* What the method that the thread is in waits for. */
static enum wait_cause cause_of_method(const struct wait_finder *finder, JNIEnv *jni,
                                       const struct thread_wait *wait)
{
	if (wait->frame_count == 0)
		return WAIT_NONE;
	const struct frame *frame =
	        frame_resolver_find(finder->profile->resolver, jni,
	                            (jmethodID)wait->frames[0].method, wait->frames[0].bci);
	if (frame == NULL || !frame->method->native)
		return WAIT_NONE;
	/* "Ljava/lang/Thread;" */
	const char *signature = frame->method->class->signature->text;
	size_t length = strlen(signature);
	if (length < 2 || signature[0] != 'L')
		return WAIT_NONE;
	const char *name = frame->method->name->text;
	const struct classfile_member called = {.class_name = name_of(signature + 1, length - 2),
	                                        .name = name_of(name, strlen(name))};
	return wait_calls_find(&called);
}

static enum trace_state state_of_cause(enum wait_cause cause)
{
	switch (cause) {
	case WAIT_LOCK:
		return TRACE_LCK;
	case WAIT_IO:
		return TRACE_IO;
	case WAIT_VM:
		return TRACE_STW;
	default:
		return TRACE_SLP;
	}
}

/* The cause of a wait that the VM knows of, and WAIT_NONE if it takes the thread for runnable. */
static enum wait_cause cause_in_vm(const struct wait_finder *finder, JNIEnv *jni, jthread thread,
                                   jint state)
{
	if ((state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0)
		return WAIT_LOCK;
	if ((state & JVMTI_THREAD_STATE_PARKED) != 0)
		return park_cause(&finder->park_fields, finder->profile->jvmti, jni, thread);
	return (state & JVMTI_THREAD_STATE_WAITING) != 0 ||
	                       (state & JVMTI_THREAD_STATE_SLEEPING) != 0
	               ? WAIT_SLEEP
	               : WAIT_NONE;
}

/* The same for a thread in that state, which the VM takes for runnable; its stack is in wait then.
 * One that is in Java code waits only for the VM, which the system sees. */
static enum wait_cause cause_in_native(struct wait_finder *finder, JNIEnv *jni, jthread thread,
                                       os_thread id, jint state, struct thread_wait *wait)
{
	enum os_answer runnable = os_thread_runnable(id);

	if (runnable == OS_YES ||
	    (runnable == OS_UNKNOWN && (state & JVMTI_THREAD_STATE_IN_NATIVE) == 0) ||
	    !wait_finder_stack(finder, jni, thread, wait))
		return WAIT_NONE;
	enum wait_cause cause = cause_of_method(finder, jni, wait);
	if (cause == WAIT_PARK)
		cause = park_cause(&finder->park_fields, finder->profile->jvmti, jni, thread);
	/* Native code of the program waits for what nobody knows. */
	return cause == WAIT_NONE && runnable == OS_NO ? WAIT_SLEEP : cause;
}

void wait_finder_find(struct wait_finder *finder, JNIEnv *jni, jthread thread, os_thread id,
                      struct thread_wait *wait)
{
	jvmtiEnv *jvmti = finder->profile->jvmti;
	jint state = 0;

	wait->waits = false;
	wait->frame_count = 0;
	if ((*jvmti)->GetThreadState(jvmti, thread, &state) != JVMTI_ERROR_NONE ||
	    (state & JVMTI_THREAD_STATE_ALIVE) == 0)
		return;
	enum wait_cause cause = cause_in_vm(finder, jni, thread, state);
	if (cause != WAIT_NONE)
		wait->waits = wait_finder_stack(finder, jni, thread, wait);
	else if ((cause = cause_in_native(finder, jni, thread, id, state, wait)) != WAIT_NONE)
		wait->waits = true;
	wait->state = state_of_cause(cause);
}
