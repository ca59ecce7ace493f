/*
 * live_traces.c: see live_traces.h.
 */
#include "agent/live_traces.h"

#include "vm/java_thread_serials.h"
#include "vm/stack_traces.h"

static void write_trace(struct profile *profile, JNIEnv *jni, const jvmtiStackInfo *stack,
                        uint32_t thread_serial)
{
	const struct trace *trace = trace_from_frames(profile, jni, stack->frame_buffer,
	                                              stack->frame_count, thread_serial);
	if (trace != NULL)
		writer_trace_again(profile->writer, trace);
}

bool live_traces_write(struct profile *profile, JNIEnv *jni)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jint most = (jint)atomic_load(&profile->control.depth);
	jvmtiStackInfo *stacks = NULL;
	jint count = 0;

	bool listed = (*jvmti)->GetAllStackTraces(jvmti, most, &stacks, &count) == JVMTI_ERROR_NONE;
	for (jint i = 0; listed && i < count; i++) {
		uint32_t serial = java_threads_serial(profile->threads, jni, stacks[i].thread);
		if (serial != 0 && stacks[i].frame_count > 0)
			write_trace(profile, jni, &stacks[i], serial);
		(*jni)->DeleteLocalRef(jni, stacks[i].thread);
	}
	profile_deallocate(profile, stacks);
	return listed;
}
