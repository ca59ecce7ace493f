/*
 * engine.h: the main header of the room sampling: cpu=samples, its two engines, and
 * msa=y (microstates.c). cpu=old uses the engines too.
 *
 * An engine is a part of a mode (mode.h): it takes samples and passes them to the mode's
 * sample_sink.
 * Threads and locks: stacks are taken in signal handlers on the sampled threads (engine A)
 * or by an agent thread (engine B); samples are passed to the sink, and counted, under the
 * profile's dump lock only. Engines have a lock of their own for their list of threads;
 * nothing else is locked while it is held.
 */
#ifndef HPROF_SAMPLING_ENGINE_H
#define HPROF_SAMPLING_ENGINE_H

#include "profile/mode.h"
#include "sampling/sample_ring.h"

struct java_thread;

/* Why a sample has no stack. */
enum stackless_reason {
	STACKLESS_NO_JAVA_FRAME, /* the thread runs no Java method */
	STACKLESS_IN_GC,         /* a garbage collection is moving objects */
	STACKLESS_NOT_WALKABLE,  /* the walker can't start from this instruction */
	STACKLESS_EXITING,       /* the thread is ending */
	STACKLESS_WALKER_FAULT,  /* the walker accessed unmapped memory */
	STACKLESS_TOO_LONG,      /* the agent's own walk reached its limit of steps */
	STACKLESS_ENDED,         /* the thread ended before its timer expired */
	STACKLESS_RING_FULL,     /* samples were taken faster than the ring was drained */
	STACKLESS_FILTERED,      /* include= and exclude= remove all its frames */
	STACKLESS_REASONS
};

/* How the output names it. */
const char *stackless_reason_name(enum stackless_reason reason);

/* What a sample stands for. */
struct sample_origin {
	uint32_t thread_serial; /* 0 stands for several threads */
	uint64_t weight;        /* intervals of CPU time */
	uint64_t time_ns;       /* os_monotonic_ns() when it was taken, if the sink is timed */
};

/* Receives samples. All functions are called under the dump lock. */
struct sample_sink {
	void *owner;
	bool virtual_threads;           /* samples of these have their serials, not the carrier's */
	bool timed;                     /* samples have their time */
	uint32_t depth;                 /* maximum number of frames in a stack, at least 1 */
	_Atomic uint32_t current_depth; /* number of frames to take now, 1 to depth */

	/* Adds a sample of frame_count frames, innermost first. */
	void (*add)(struct sample_sink *sink, JNIEnv *jni, const struct sample_origin *origin,
	            const struct raw_frame *frames, uint32_t frame_count);

	/* Adds CPU time without a stack. */
	void (*add_stackless)(struct sample_sink *sink, const struct sample_origin *origin,
	                      enum stackless_reason reason);
};

struct engine_ops {
	/* Creates the engine and adds to needs. NULL when the engine is unavailable; then
	 * *reason completes "engine=... is unavailable: ". */
	void *(*create)(struct profile *profile, struct sample_sink *sink, struct mode_needs *needs,
	                const char **reason);
	/* A phrase for the start-up message. */
	const char *(*describe)(void *engine);
	/* Writes the engine's notes after a section; NULL if it has none. */
	void (*write_notes)(void *engine);
	void (*destroy)(void *engine, JNIEnv *jni);
	/* For mode_needs_part(). */
	struct mode_ops hooks;
};

/* Engine A: each thread has a timer on its CPU clock, and the timer's signal handler
 * walks the thread's stack (engine_async.c). */
extern const struct engine_ops engine_async;

/* Engine B: an agent thread reads the CPU clocks of all threads and requests the stacks of
 * those that have used CPU time from the VM (engine_clock.c). */
extern const struct engine_ops engine_clock;

/* The CPU time that a thread is credited with at its start, in nanoseconds from 0 to below
 * interval_ns. It is evenly spread over threads, so that threads that end within their
 * first interval are counted correctly on average. */
uint64_t engine_phase_ns(uint64_t thread_number, uint64_t interval_ns);

/* The time of a sample that is taken now: os_monotonic_ns() if the sink is timed. Signal-safe. */
uint64_t engine_sample_time(const struct sample_sink *sink);

/* The part of the CPU time used since a thread's clock was last read that is charged to
 * the thread's current stack or call; the caller charges the rest at later readings. Up to
 * `usual` it is all of it. More means that the reading is late and that the thread used
 * most of the time elsewhere: then only a fraction of the excess is charged now. In the
 * unit of used and usual. Pure. */
uint64_t engine_share(uint64_t used, uint64_t usual);

#endif
