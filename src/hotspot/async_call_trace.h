/*
 * async_call_trace.h: AsyncGetCallTrace, the stack walker that HotSpot exports
 * for signal handlers, as its sources declare it (no header does).
 */
#ifndef HPROF_HOTSPOT_ASYNC_CALL_TRACE_H
#define HPROF_HOTSPOT_ASYNC_CALL_TRACE_H

#include <jni.h>
#include <stdint.h>

/* A frame as the VM's walker leaves it (the layout of ASGCT_CallFrame). */
struct raw_frame {
	int32_t bci;  /* -3 in a native method */
	void *method; /* jmethodID */
};

struct async_call_trace {
	JNIEnv *jni;              /* of the thread that is walked, the current one */
	jint frame_count;         /* out: frames, or one of the codes below */
	struct raw_frame *frames; /* out */
};

/* frame_count when there is no stack. */
enum {
	ASYNC_NO_JAVA_FRAME = 0,
	ASYNC_NO_CLASS_LOAD = -1,
	ASYNC_GC_ACTIVE = -2,
	ASYNC_UNKNOWN_NOT_JAVA = -3,
	ASYNC_NOT_WALKABLE_NOT_JAVA = -4,
	ASYNC_UNKNOWN_JAVA = -5,
	ASYNC_NOT_WALKABLE_JAVA = -6,
	ASYNC_UNKNOWN_STATE = -7,
	ASYNC_THREAD_EXIT = -8,
	ASYNC_DEOPT = -9,
	ASYNC_SAFEPOINT = -10,
	ASYNC_FAULT = -100,   /* ours: the walk was cut short by a memory fault */
	ASYNC_TOO_LONG = -101 /* ours: our own walk was cut short by its limit of steps */
};

/* Walks the current thread's stack from the machine context (a ucontext_t). */
typedef void async_get_call_trace(struct async_call_trace *trace, jint depth, void *context);

#define ASYNC_GET_CALL_TRACE "AsyncGetCallTrace"

#endif
