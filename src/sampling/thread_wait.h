/*
 * thread_wait.h: what a thread waits for, and where, as another thread sees it: by its state in the
 * VM, the method that it is in, and what it parks for.
 *
 * For one thread of the agent, in the live phase; no lock.
 */
#ifndef HPROF_SAMPLING_THREAD_WAIT_H
#define HPROF_SAMPLING_THREAD_WAIT_H

#include "hprof/records.h"
#include "profile/profile.h"
#include "sampling/sample_ring.h"
#include "vm/park_cause.h"

struct wait_finder {
	struct profile *profile;
	struct park_fields park_fields;
	jint depth; /* of stacks */
	jvmtiFrameInfo *stack;
};

/* What was found. */
struct thread_wait {
	bool waits; /* false: it runs, waits for a CPU, or is stopped by the VM */
	enum trace_state state;
	struct raw_frame *frames; /* room for depth frames */
	uint32_t frame_count;     /* of its stack; 0 without Java frames */
};

/* False without memory; wait_finder_free() must be called in either case. */
bool wait_finder_init(struct wait_finder *finder, struct profile *profile, uint32_t depth);
void wait_finder_free(struct wait_finder *finder);

/* Finds the JDK's fields. */
void wait_finder_live(struct wait_finder *finder, JNIEnv *jni);

/* What the thread waits for, if it waits. id is the thread that it runs on. Its stack is taken only
 * if it waits, so that this does not have to wait until the thread runs; the methods of the stack
 * are resolved. */
void wait_finder_find(struct wait_finder *finder, JNIEnv *jni, jthread thread, os_thread id,
                      struct thread_wait *wait);

/* The stack of a thread, whatever it does, in wait; false if it has none any more. */
bool wait_finder_stack(struct wait_finder *finder, JNIEnv *jni, jthread thread,
                       struct thread_wait *wait);

#endif
