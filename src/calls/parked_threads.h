/*
 * parked_threads.h: the virtual threads that have left their carriers: where in the call graph,
 * since when, and what for. Any thread may call all of it. The table has parts by thread, each
 * with a lock.
 */
#ifndef HPROF_CALLS_PARKED_THREADS_H
#define HPROF_CALLS_PARKED_THREADS_H

#include "calls/costs_by_thread.h"
#include "calls/thread_breaks.h"

#include <stdbool.h>
#include <stdint.h>

struct parked_thread {
	uint64_t tid;            /* its Thread.threadId(), not 0 */
	struct cost_owner owner; /* it, with the serial of its record; none without thread=y */
	uint64_t open;           /* the open word that its calls continue with (call_state.h) */
	uint32_t node;           /* that its time is charged to, */
	enum wait_cause cause;
	uint64_t since_ns; /* from this time of os_monotonic_ns() on */
	struct thread_waits waits;
};

struct parked_threads;

/* NULL without memory. */
struct parked_threads *parked_threads_create(void);
void parked_threads_destroy(struct parked_threads *threads);

/* Adds a copy of a thread, which replaces one with the same tid. False without memory. */
bool parked_threads_add(struct parked_threads *threads, const struct parked_thread *thread);

/* Removes the thread with that tid and copies it to *thread. False if there is none. */
bool parked_threads_take(struct parked_threads *threads, uint64_t tid,
                         struct parked_thread *thread);

/* Calls visit for each thread, which it can change except for the tid, under the lock of the
 * thread's part. */
void parked_threads_visit(struct parked_threads *threads,
                          void (*visit)(void *argument, struct parked_thread *thread),
                          void *argument);

#endif
