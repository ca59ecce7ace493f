/*
 * live_traces.c: see live_traces.h.
 */
#include "agent/live_traces.h"

#include "vm/frame_resolver.h"
#include "vm/java_threads.h"

#include <stdlib.h>

static void write_trace(struct profile *profile, JNIEnv *jni, const jvmtiStackInfo *stack,
                        uint32_t thread_serial, const struct frame **frames)
{
	bool created;
	uint32_t depth = 0;

	for (; depth < (uint32_t)stack->frame_count; depth++) {
		const jvmtiFrameInfo *info = &stack->frame_buffer[depth];
		frames[depth] =
		        frame_resolver_find(profile->resolver, jni, info->method, info->location);
		if (frames[depth] == NULL)
			return;
	}
	const struct trace *trace =
	        trace_table_intern(profile->model.traces, frames, depth, thread_serial, &created);
	if (trace == NULL)
		profile_out_of_memory(profile);
	else
		writer_trace_again(profile->writer, trace);
}

bool live_traces_write(struct profile *profile, JNIEnv *jni)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jint most = (jint)atomic_load(&profile->control.depth);
	jvmtiStackInfo *stacks = NULL;
	jint count = 0;

	const struct frame **frames = calloc((size_t)most + 1, sizeof(*frames));
	if (frames == NULL) {
		profile_out_of_memory(profile);
		return false;
	}
	bool listed = (*jvmti)->GetAllStackTraces(jvmti, most, &stacks, &count) == JVMTI_ERROR_NONE;
	for (jint i = 0; listed && i < count; i++) {
		uint32_t serial = java_threads_serial(profile->threads, jni, stacks[i].thread);
		if (serial != 0 && stacks[i].frame_count > 0)
			write_trace(profile, jni, &stacks[i], serial, frames);
		(*jni)->DeleteLocalRef(jni, stacks[i].thread);
	}
	profile_deallocate(profile, stacks);
	free(frames);
	return listed;
}
