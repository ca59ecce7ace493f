/*
 * clock_sampler.h: samples threads without a timer: an agent thread wakes up once per interval,
 * reads the CPU clock of each of them, and requests from the VM the stacks of those that are
 * running and have used an interval. Engine B samples all threads so, engine A those that have
 * no timer.
 *
 * Locking: one lock covers the list of threads. Samples are passed to the sink under the
 * profile's dump lock. Any thread may add and remove threads.
 */
#ifndef HPROF_SAMPLING_CLOCK_SAMPLER_H
#define HPROF_SAMPLING_CLOCK_SAMPLER_H

#include "sampling/engine.h"

struct clock_sampler;

/* A thread to be sampled; all 0 at first, except what its owner sets. */
struct clocked_thread {
	/* Set by the owner before the thread is added. */
	os_thread id;
	uint32_t serial;
	jobject object;     /* a global reference, the owner's */
	uint64_t origin_ns; /* value of the thread's CPU clock at which counting starts */

	/* The sampler's, under its lock; after the removal the owner's. */
	uint64_t delivered; /* intervals counted so far */
	bool is_listed;
	bool has_left;
	unsigned waited_ticks;
	struct clocked_thread *prev;
	struct clocked_thread *next;
};

/* NULL without memory. profile and sink outlive it. */
struct clock_sampler *clock_sampler_create(struct profile *profile, struct sample_sink *sink);

/* When its thread has ended. The threads are the owner's. */
void clock_sampler_destroy(struct clock_sampler *sampler);

/* Starts the agent thread. Live phase. False, with the error reported, on failure. */
bool clock_sampler_start(struct clock_sampler *sampler, JNIEnv *jni);

/* Stops taking samples. */
void clock_sampler_stop(struct clock_sampler *sampler);

/* Adds a thread, of which `delivered` intervals have been counted, unless it has been removed
 * already. */
void clock_sampler_add(struct clock_sampler *sampler, struct clocked_thread *thread,
                       uint64_t delivered);

/* Removes a thread for good; before it ends, and before its owner frees it. Whether it was
 * there. */
bool clock_sampler_remove(struct clock_sampler *sampler, struct clocked_thread *thread);

/* Removes one of the threads and returns it; NULL when there is none. */
struct clocked_thread *clock_sampler_remove_any(struct clock_sampler *sampler);

/* The thread that creates the sampler does the agent's work from then on, and is not sampled. This
 * ends it, on the same thread, which is thread, or with NULL one that is listed, if any: its count
 * does not include that work. */
void clock_sampler_end_own_work(struct clock_sampler *sampler, struct clocked_thread *thread);

/* Whether the thread does that work. Signal-safe. */
bool clock_sampler_is_own_work(const struct clock_sampler *sampler,
                               const struct clocked_thread *thread);

/* The number of whole intervals that the thread has used when its CPU clock is at cpu_ns and that
 * are not delivered. */
uint64_t clock_sampler_due(const struct clock_sampler *sampler, const struct clocked_thread *thread,
                           uint64_t cpu_ns);

#endif
