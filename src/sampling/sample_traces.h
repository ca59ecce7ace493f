/*
 * sample_traces.h: the traces of stacks that cpu=samples takes: cut to the depth, filtered by
 * include= and exclude=, and, on a carrier, without the carrier's own frames. No lock: the
 * owner's lock covers it.
 */
#ifndef HPROF_SAMPLING_SAMPLE_TRACES_H
#define HPROF_SAMPLING_SAMPLE_TRACES_H

#include "profile/profile.h"
#include "sampling/sample_ring.h"
#include "vm/stackless.h"

struct sample_traces {
	struct profile *profile;
	uint32_t depth;              /* of new traces */
	const struct frame **frames; /* buffer for the deepest trace */
	/* The name of jdk.internal.vm.Continuation: its enter methods are the outermost
	 * frames of a virtual thread, followed by those of its carrier. */
	const struct string *continuation;
	struct stackless stackless;
};

/* For traces of at most depth_max frames, and of settings->depth to begin with. False without
 * memory; sample_traces_free() must be called in either case. */
bool sample_traces_init(struct sample_traces *traces, struct profile *profile, uint32_t depth_max);
void sample_traces_free(struct sample_traces *traces);

/* The number of frames of a stack that a trace of this depth may need. At least one, so that
 * with depth=0 stacks can be distinguished from none. */
uint32_t sample_traces_stack_depth(const struct settings *settings, uint32_t trace_depth);

/* The trace of frame_count frames, at least one, innermost first, of a thread. NULL without memory
 * (reported), once the profile has stopped, and with *filtered set, if the filter removes all
 * frames. */
const struct trace *sample_traces_find(struct sample_traces *traces, JNIEnv *jni,
                                       const struct raw_frame *frames, uint32_t frame_count,
                                       uint32_t thread_serial, bool *filtered);

/* The trace for a reason why there is no stack (stackless.h). NULL without memory (reported). */
const struct trace *sample_traces_stackless(struct sample_traces *traces, const char *reason,
                                            uint32_t thread_serial);

#endif
