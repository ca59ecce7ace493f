/*
 * samples_engine.h: the two ways of taking CPU samples, as cpu_samples.c sees
 * them.
 */
#ifndef HPROF_PROFILE_SAMPLES_ENGINE_H
#define HPROF_PROFILE_SAMPLES_ENGINE_H

#include "profile/mode.h"
#include "profile/sample_ring.h"

struct java_thread;
struct cpu_samples;

struct samples_engine_ops {
	/* NULL, with the reason in words, when it can't work here. */
	void *(*create)(struct profile *profile, struct cpu_samples *samples,
	                struct mode_needs *needs, const char **reason);
	/* One phrase for the start-up message. */
	const char *(*describe)(void *engine);
	/* As in mode.h; NULL where there is nothing to do. */
	void (*live)(void *engine, JNIEnv *jni);
	void (*thread_start)(void *engine, JNIEnv *jni, jthread object, struct java_thread *thread);
	void (*thread_end)(void *engine, JNIEnv *jni, struct java_thread *thread);
	void (*class_prepare)(void *engine, JNIEnv *jni, jclass class);
	void (*poll)(void *engine, JNIEnv *jni);
	void (*stop)(void *engine);
};

/* Engine A: a CPU-time timer per thread, whose handler walks the stack wherever
 * the thread is (samples_async.c). */
extern const struct samples_engine_ops samples_async_engine;

/* Engine B: a thread that reads the others' CPU clocks and asks the VM for the
 * stacks of those that moved (samples_clock.c). */
extern const struct samples_engine_ops samples_clock_engine;

/* Why a sample has no stack. */
enum unwalked_reason {
	UNWALKED_NO_JAVA_FRAME, /* the thread runs no Java method */
	UNWALKED_IN_GC,         /* the collector is moving things */
	UNWALKED_NOT_WALKABLE,  /* a place in code that the VM's walker can't start from */
	UNWALKED_EXITING,       /* the thread is ending */
	UNWALKED_FAULT,         /* the walker touched memory that is not there */
	UNWALKED_RING_FULL,     /* samples came faster than they were taken in */
	UNWALKED_REASONS
};

/* Takes in one sample: frame_count frames with weight intervals of CPU time of
 * the thread. Under the dump lock. */
void cpu_samples_add(struct cpu_samples *samples, JNIEnv *jni, uint32_t thread_serial,
                     const struct raw_frame *frames, uint32_t frame_count, uint64_t weight);

/* Takes in CPU time whose stack is not known. Under the dump lock. */
void cpu_samples_add_unwalked(struct cpu_samples *samples, enum unwalked_reason reason,
                              uint64_t weight);

/* Samples of a thread are counted from a point within its first interval that
 * spreads over the threads, so that threads that end before an interval is over
 * are counted right on average. Nanoseconds from 0 to below interval_ns. */
uint64_t cpu_samples_phase(uint64_t thread_number, uint64_t interval_ns);

#endif
