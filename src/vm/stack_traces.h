/*
 * stack_traces.h: from frames to a trace of the model that the output has.
 *
 * No state and no lock of its own; takes the locks of the tables of methods, frames and
 * traces, and of the writer. Any thread that may do I/O, not a signal handler.
 */
#ifndef HPROF_VM_STACK_TRACES_H
#define HPROF_VM_STACK_TRACES_H

#include "profile/profile.h"

/* The number of a stack's innermost frames that a trace of that depth needs: with a filter more,
 * since it may leave out the first of them. 0 for 0. */
uint32_t trace_stack_depth(const struct settings *settings, uint32_t depth);

/* Whether the filter lets a trace start with the frame. */
static inline bool trace_may_start(const struct settings *settings, const struct frame *frame)
{
	const struct filter *filter = &settings->filter;
	return !filter_is_set(filter) ||
	       filter_accepts(filter, frame->method->class->name->text, frame->method->name->text);
}

/* The trace of these frames, innermost first, and of the thread unless thread_serial is 0.
 * Writes TRACE when the trace is new. Belongs to the model. NULL when out of memory
 * (reported). */
const struct trace *trace_publish(struct profile *profile, const struct frame *const *frames,
                                  uint32_t depth, uint32_t thread_serial);

/* The same for a stack as JVM TI returns it, innermost first. NULL when out of memory
 * (reported), and when the profile has stopped and a method's name is not known yet. Live
 * phase. The methods must pass the rules of frame_resolver.h. */
const struct trace *trace_from_frames(struct profile *profile, JNIEnv *jni,
                                      const jvmtiFrameInfo *stack, jint count,
                                      uint32_t thread_serial);

#endif
