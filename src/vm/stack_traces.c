/*
 * stack_traces.c: see stack_traces.h.
 */
#include "vm/stack_traces.h"

#include "vm/frame_resolver.h"

#include <stdlib.h>

enum {
	/* Deeper stacks are resolved in allocated memory. */
	FEW_FRAMES = 64,
	/* The most frames that a filter leaves out of a stack that has a trace. */
	FILTERED_FRAMES_MAX = 512
};

uint32_t trace_stack_depth(const struct settings *settings, uint32_t depth)
{
	bool filtered = depth > 0 && filter_is_set(&settings->filter);
	return filtered ? depth + FILTERED_FRAMES_MAX : depth;
}

const struct trace *trace_publish(struct profile *profile, const struct frame *const *frames,
                                  uint32_t depth, uint32_t thread_serial)
{
	bool created = false;
	const struct trace *trace =
	        trace_table_intern(profile->model.traces, frames, depth, thread_serial, &created);

	if (trace == NULL)
		profile_out_of_memory(profile);
	else if (created)
		writer_trace(profile->writer, trace);
	return trace;
}

/* False when a frame cannot be resolved. */
static bool resolve(struct profile *profile, JNIEnv *jni, const jvmtiFrameInfo *stack,
                    uint32_t count, const struct frame **frames)
{
	for (uint32_t i = 0; i < count; i++) {
		frames[i] = frame_resolver_find(profile->resolver, jni, stack[i].method,
		                                stack[i].location);
		if (frames[i] == NULL)
			return false;
	}
	return true;
}

const struct trace *trace_from_frames(struct profile *profile, JNIEnv *jni,
                                      const jvmtiFrameInfo *stack, jint count,
                                      uint32_t thread_serial)
{
	const struct frame *few[FEW_FRAMES];
	const struct frame **frames = few;
	const struct trace *trace = NULL;
	uint32_t depth = count > 0 ? (uint32_t)count : 0;

	if (depth > FEW_FRAMES)
		frames = calloc(depth, sizeof(const struct frame *));
	if (frames == NULL)
		profile_out_of_memory(profile);
	else if (resolve(profile, jni, stack, depth, frames))
		trace = trace_publish(profile, frames, depth, thread_serial);
	if (frames != few)
		free(frames);
	return trace;
}
