/*
 * state_looks.h: the sampler of states: a thread of the agent that looks at threads, one after the
 * other, about once per interval. A look at a thread that has not run since the last one reads its
 * CPU clock only. All looks together use at most one hundredth of a CPU: with many threads that
 * run, looks at each are rarer, and count for more.
 *
 * Locking: takes the lock of the threads, alone or under the dump lock, and calls the VM under
 * neither.
 */
#ifndef HPROF_SAMPLING_STATE_LOOKS_H
#define HPROF_SAMPLING_STATE_LOOKS_H

#include "sampling/looked_threads.h"
#include "sampling/sample_traces.h"
#include "sampling/thread_wait.h"
#include "vm/virtual_threads.h"

struct state_looks {
	struct profile *profile;
	struct sample_traces *traces; /* under the dump lock, as counts */
	struct state_counts *counts;
	struct looked_threads *threads;
	uint64_t interval_ns;
	bool virtual_threads;                 /* these have serials of their own */
	virtual_thread_of *virtual_thread_of; /* NULL without virtual threads */
	_Atomic uint64_t stacks;              /* looks that took a stack; any thread */
	_Atomic bool stopped;                 /* any thread sets it */
	/* Of the sampler's thread: */
	struct wait_finder finder;
	struct raw_frame *frames;
};

/* The caller sets the members up to virtual_thread_of before; stack_depth is the number of frames
 * of a stack. False without memory; state_looks_free() must be called in either case. */
bool state_looks_init(struct state_looks *looks, uint32_t stack_depth);
void state_looks_free(struct state_looks *looks);

/* Starts the agent's thread, which runs until stopped is set. Live phase. */
void state_looks_live(struct state_looks *looks, JNIEnv *jni);

#endif
