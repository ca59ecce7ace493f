/*
 * load_trace.c: see load_trace.h. No state and no lock of its own.
 */
#include "vm/load_trace.h"

#include "vm/class_registry.h"
#include "vm/java_thread_serials.h"
#include "vm/java_threads.h"
#include "vm/own_stack.h"
#include "vm/stack_traces.h"

static uint32_t write_trace(struct profile *profile, JNIEnv *jni, const jvmtiFrameInfo *stack,
                            jint count)
{
	uint32_t serial = 0;

	if (profile->settings->thread) {
		serial = java_threads_current_serial(profile->threads, jni);
		/* A thread that has no START THREAD yet has no traces either. */
		if (serial == 0)
			return TRACE_SERIAL_EMPTY;
	}
	const struct trace *trace = trace_from_frames(profile, jni, stack, count, serial);
	if (trace == NULL)
		return TRACE_SERIAL_EMPTY;
	/* Another thread may have added it just now and not have written it yet. */
	writer_trace(profile->writer, trace);
	return trace->serial;
}

/* The serial of the calling thread's trace, which has been written: that of the empty one
 * before the live phase, without frames, or without memory (reported). */
static uint32_t find_serial(struct profile *profile, JNIEnv *jni)
{
	struct own_stack stack;
	uint32_t serial = TRACE_SERIAL_EMPTY;

	if (!own_stack_take(&stack, profile->jvmti, profile->settings->depth)) {
		profile_out_of_memory(profile);
		return serial;
	}
	if (stack.count > 0)
		serial = write_trace(profile, jni, stack.frames, stack.count);
	own_stack_free(&stack);
	return serial;
}

void load_trace_add_class(struct profile *profile, JNIEnv *jni, jclass class)
{
	struct class_registry *classes = profile->classes;

	if (!class_registry_has(classes, class))
		(void)class_registry_add(classes, class, find_serial(profile, jni));
}
