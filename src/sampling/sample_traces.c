/*
 * sample_traces.c: see sample_traces.h.
 */
#include "sampling/sample_traces.h"

#include "vm/frame_resolver.h"
#include "vm/stack_traces.h"

#include <stdlib.h>
#include <string.h>

#define CONTINUATION "jdk.internal.vm.Continuation"

bool sample_traces_init(struct sample_traces *traces, struct profile *profile, uint32_t depth_max)
{
	*traces = (struct sample_traces){
	        .profile = profile,
	        .depth = profile->settings->depth,
	        .frames = calloc((size_t)depth_max + 1, sizeof(*traces->frames)),
	        .continuation = string_table_intern_jvm(profile->model.strings, CONTINUATION),
	};
	return traces->frames != NULL && traces->continuation != NULL;
}

void sample_traces_free(struct sample_traces *traces)
{
	free(traces->frames);
	traces->frames = NULL;
}

uint32_t sample_traces_stack_depth(const struct settings *settings, uint32_t trace_depth)
{
	return trace_stack_depth(settings, trace_depth > 0 ? trace_depth : 1);
}

static uint32_t thread_in_trace(const struct sample_traces *traces, uint32_t thread_serial)
{
	return traces->profile->settings->thread ? thread_serial : 0;
}

const struct trace *sample_traces_stackless(struct sample_traces *traces, const char *reason,
                                            uint32_t thread_serial)
{
	return stackless_trace(&traces->stackless, traces->profile, reason,
	                       thread_in_trace(traces, thread_serial));
}

/* Whether the frame is one of Continuation.enterSpecial, enter and enter0. */
static bool is_continuation_entry(const struct sample_traces *traces, const struct frame *frame)
{
	return frame->method->class->name == traces->continuation &&
	       strncmp(frame->method->name->text, "enter", strlen("enter")) == 0;
}

const struct trace *sample_traces_find(struct sample_traces *traces, JNIEnv *jni,
                                       const struct raw_frame *frames, uint32_t frame_count,
                                       uint32_t thread_serial, bool *filtered)
{
	struct profile *profile = traces->profile;
	uint32_t depth = 0;

	*filtered = false;
	for (uint32_t i = 0; i < frame_count && depth < traces->depth; i++) {
		const struct frame *frame = frame_resolver_find(
		        profile->resolver, jni, (jmethodID)frames[i].method, frames[i].bci);
		if (frame == NULL)
			return NULL;
		if (i > 0 && is_continuation_entry(traces, frame))
			break;
		if (depth > 0 || trace_may_start(profile->settings, frame))
			traces->frames[depth++] = frame;
	}
	if (depth > 0)
		return trace_publish(profile, traces->frames, depth,
		                     thread_in_trace(traces, thread_serial));
	*filtered = traces->depth > 0;
	return *filtered ? NULL : sample_traces_stackless(traces, STACKLESS_DEPTH_0, thread_serial);
}
