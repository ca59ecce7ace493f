/*
 * looked_fixture.h: the threads that the sampler of states looks at, on fake clocks, over the fake
 * VM. A thread is a number from 0. Each test calls looked_set_up() and looked_tear_down().
 */
#ifndef HPROF_TESTS_LOOKED_FIXTURE_H
#define HPROF_TESTS_LOOKED_FIXTURE_H

#include "profile_fixture.h"
#include "quick_check.h"
#include "run_suite.h"
#include "sampling/looked_threads.h"
#include "vm/java_threads.h"

#include <errno.h>

enum { LOOKED_MAX = 40, ID_FIRST = 100, SERIAL_FIRST = 7 };

#define MS UINT64_C(1000000)

extern struct vm_pauses pauses;
extern struct fake_object objects[LOOKED_MAX];
extern struct java_thread java_threads[LOOKED_MAX];

/* What the system knows of each. */
extern struct system_thread {
	uint64_t cpu_ns;
	uint64_t queued_ns;
	bool is_gone;                     /* its CPU clock has no answer */
	bool queue_lost;                  /* its queue has none */
	int queue_error;                  /* of opening it */
	const struct os_run_queue *queue; /* open */
	unsigned cpu_readings;
	unsigned queue_readings;
} system_threads[LOOKED_MAX];

extern uint64_t now_ns;
extern uint64_t self_ns; /* CPU time of the calling thread */
extern unsigned open_queues;

/* Called after each reading of a thread's CPU clock; may be NULL. */
extern void (*clock_is_read)(int number);

int number_of(os_thread id);
struct look_clocks clocks_of(int number);
void looked_set_up(void);

/* Nothing is left. */
void looked_tear_down(void);
void add_thread(struct looked_threads *to, int number);
struct looked_thread *thread_of(const struct looked_threads *in, int number);

/* Time passes, and a thread uses the CPU for some of it. */
void pass(int number, uint64_t wall_ns, uint64_t cpu_ns);
void end_thread(struct looked_threads *in, int number);

#endif
