/*
 * state_samples.h: cpu=samples,msa=y: where the threads' time goes, state by state, sampled: the
 * section TRACE MICROSTATES. CPU time comes from the CPU samples, the other states from looks
 * (state_looks.h) at the threads (looked_threads.h). It is a part of its mode (mode.h), after the
 * engine: what that polls is charged first.
 *
 * Threads and locks: the functions are called under the profile's dump lock, except create and
 * destroy.
 */
#ifndef HPROF_SAMPLING_STATE_SAMPLES_H
#define HPROF_SAMPLING_STATE_SAMPLES_H

#include "profile/mode.h"
#include "sampling/state_looks.h"

struct state_samples {
	struct profile *profile;
	struct sample_traces *traces; /* the owner's */
	struct vm_pauses pauses;
	struct state_counts counts;
	struct looked_threads threads;
	struct state_looks looks;
};

/* Adds to needs. stack_depth is the number of frames of a stack; with virtual_threads, a virtual
 * thread has its own serial. NULL without memory. */
struct state_samples *state_samples_create(struct profile *profile, struct mode_needs *needs,
                                           struct sample_traces *traces, uint32_t stack_depth,
                                           bool virtual_threads);

/* Frees it; the agent's threads have ended. */
void state_samples_destroy(struct state_samples *states, JNIEnv *jni);

/* A CPU sample of the trace, on that thread; 0 if several threads. */
void state_samples_add_cpu(struct state_samples *states, const struct trace *trace,
                           uint32_t thread_serial, uint64_t cpu_ns);

/* Writes the section, with the time up to now. */
void state_samples_write(struct state_samples *states);
void state_samples_reset(struct state_samples *states);

/* For mode_needs_part(). poll adds what has been charged to threads to their traces. */
extern const struct mode_ops state_samples_hooks;

#endif
