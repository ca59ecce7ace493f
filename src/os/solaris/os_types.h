/*
 * os_types.h (Solaris and illumos): the structures that os.h leaves to the
 * platform. Their members are the platform layer's own.
 */
#ifndef HPROF_OS_TYPES_H
#define HPROF_OS_TYPES_H

#include "cpu_timer_parts.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <synch.h>
#include <time.h>
#include <ucontext.h>

/* A link to the program's file. */
#define OS_PROGRAM_LINK "/proc/self/path/a.out"

/* Whether sockets may have a name that is in no file system. */
#define OS_ABSTRACT_SOCKETS false

struct os_mutex {
	pthread_mutex_t mutex;
};

/* A flag, the number of threads that may sleep on the semaphore, and that. */
struct os_event {
	_Atomic uint32_t signalled;
	_Atomic uint32_t waiters;
	sema_t wake;
};

struct os_thread_handle {
	pthread_t thread;
};

/* A machine context that is ours to change. */
struct os_context {
	ucontext_t machine;
};

/* One thread's cheap CPU clock: the clocks when the CPU clock was last read, and
 * how much less user time had advanced than the wall clock then (see cpu_clock.c). */
struct os_cpu_clock {
	uint64_t base_cpu_ns;
	uint64_t base_wall_ns;
	uint64_t base_gap_ns;
	uint64_t last_cpu_ns; /* the last reading: the next is not less */
	bool cheap;
};

struct os_run_queue {
	uint64_t lwp;
};

/* Another LWP's timer can't be started. */
#define CPU_TIMER_OF_OTHERS 0

/* What ITIMER_PROF sends. */
#define CPU_TIMER_SIGNAL SIGPROF
#define CPU_TIMER_SIGNALS(signal) signal(SIGPROF)

/* One thread's CPU-interval timer: its LWP's ITIMER_PROF. */
struct os_cpu_timer {
	void *user;
	uint64_t thread; /* os_thread */
	uint64_t first_ns;
	uint64_t interval_ns;
	struct cpu_timer_entry entry;
	struct cpu_timer_meter meter;
	struct os_cpu_timer *_Atomic *slot;   /* its thread's pointer to it, once it has one */
	struct os_cpu_timer *_Atomic *listed; /* stays NULL here */
};

#endif
