/*
 * engine.h: the two ways of taking CPU samples, and what the modes that
 * use them (cpu=samples, cpu=old) give them to put samples in.
 */
#ifndef HPROF_SAMPLING_ENGINE_H
#define HPROF_SAMPLING_ENGINE_H

#include "profile/mode.h"
#include "sampling/sample_ring.h"

struct java_thread;

/* Why a sample has no stack. */
enum stackless_reason {
	STACKLESS_NO_JAVA_FRAME, /* the thread runs no Java method */
	STACKLESS_IN_GC,         /* the collector is moving things */
	STACKLESS_NOT_WALKABLE,  /* a place in code that the VM's walker can't start from */
	STACKLESS_EXITING,       /* the thread is ending */
	STACKLESS_WALKER_FAULT,  /* the walker touched memory that is not there */
	STACKLESS_ENDED,         /* the thread ended before its timer expired */
	STACKLESS_RING_FULL,     /* samples came faster than they were taken in */
	STACKLESS_FILTERED,      /* include= and exclude= leave no frame of it */
	STACKLESS_REASONS
};

/* Takes samples in. All under the dump lock. */
struct sample_sink {
	void *owner;
	uint32_t depth;                 /* frames that a stack may have, at least 1 */
	_Atomic uint32_t current_depth; /* … of which so many are wanted now, at least 1 */

	/* One sample: frame_count frames with weight intervals of the thread's CPU
	 * time. */
	void (*add)(struct sample_sink *sink, JNIEnv *jni, uint32_t thread_serial,
	            const struct raw_frame *frames, uint32_t frame_count, uint64_t weight);

	/* CPU time whose stack is not known; thread_serial 0 is that of several threads. */
	void (*add_stackless)(struct sample_sink *sink, uint32_t thread_serial,
	                      enum stackless_reason reason, uint64_t weight);
};

struct engine_ops {
	/* NULL, with the reason in words, when it can't work here. */
	void *(*create)(struct profile *profile, struct sample_sink *sink, struct mode_needs *needs,
	                const char **reason);
	/* One phrase for the start-up message. */
	const char *(*describe)(void *engine);
	/* As in mode.h; NULL where there is nothing to do. */
	void (*live)(void *engine, JNIEnv *jni);
	void (*thread_start)(void *engine, JNIEnv *jni, jthread object, struct java_thread *thread);
	void (*thread_end)(void *engine, JNIEnv *jni, struct java_thread *thread);
	void (*thread_found)(void *engine, JNIEnv *jni, jthread object, struct java_thread *thread);
	void (*class_prepare)(void *engine, JNIEnv *jni, jclass class);
	void (*poll)(void *engine, JNIEnv *jni);
	/* After a section: what its reader should know of the engine. */
	void (*write_notes)(void *engine);
	void (*stop)(void *engine);
	void (*destroy)(void *engine, JNIEnv *jni);
};

/* Engine A: a CPU-time timer per thread, whose handler walks the stack wherever
 * the thread is (engine_async.c). */
extern const struct engine_ops engine_async;

/* Engine B: a thread that reads the others' CPU clocks and asks the VM for the
 * stacks of those that moved (engine_clock.c). */
extern const struct engine_ops engine_clock;

/* Samples of a thread are counted from a point within its first interval that
 * spreads over the threads, so that threads that end before an interval is over
 * are counted right on average. Nanoseconds from 0 to below interval_ns. */
uint64_t engine_phase_ns(uint64_t thread_number, uint64_t interval_ns);

/* How much of what a thread has used since it was last looked at to charge to what it
 * shows now. All, up to `usual`. More means that who looks came late, and that most of it
 * was used by what the thread showed meanwhile: of that, a part; the rest is left for what
 * it shows the next times. In the unit of used and usual. Any thread. */
uint64_t engine_share(uint64_t used, uint64_t usual);

#endif
