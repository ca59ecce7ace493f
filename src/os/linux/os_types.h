/*
 * os_types.h (Linux): the structures that os.h leaves to the platform. Their
 * members are the platform layer's own.
 */
#ifndef HPROF_OS_TYPES_H
#define HPROF_OS_TYPES_H

#include "cpu_timer_parts.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>

/* A link to the program's file. */
#define OS_PROGRAM_LINK "/proc/self/exe"

/* Whether sockets may have a name that is in no file system. */
#define OS_ABSTRACT_SOCKETS true

struct os_mutex {
	pthread_mutex_t mutex;
};

/* A futex word and the number of threads that may sleep on it. */
struct os_event {
	_Atomic uint32_t signalled;
	_Atomic uint32_t waiters;
};

struct os_thread_handle {
	pthread_t thread;
};

/* A machine context that is ours to change. */
struct os_context {
	ucontext_t machine;
};

/* One thread's cheap CPU clock: the CPU and the wall clock when its word was marked,
 * and that word (see run_mark.h). */
struct os_cpu_clock {
	volatile uint64_t *word;
	uint64_t base_cpu_ns;
	uint64_t base_wall_ns;
	uint64_t last_cpu_ns; /* the last reading: the next is not less */
};

/* A thread's waits for a CPU: its open schedstat, or -1. */
struct os_run_queue {
	int fd;
	struct os_identity identity;
};

/* A timer can be started for another thread. */
#define CPU_TIMER_OF_OTHERS 1

/* What an expired timer sends its thread, the preferred one first (see cpu_timer.c). Not every
 * CPU's Linux has the second. */
#define CPU_TIMER_SIGNAL SIGURG
#ifdef SIGSTKFLT
#define CPU_TIMER_SIGNALS(signal) signal(SIGURG) signal(SIGSTKFLT)
#else
#define CPU_TIMER_SIGNALS(signal) signal(SIGURG)
#endif

/* One thread's CPU-interval timer: a perf event or a POSIX timer. */
struct os_cpu_timer {
	void *user;
	uint64_t thread; /* os_thread */
	uint64_t first_ns;
	uint64_t interval_ns;
	struct cpu_timer_entry entry;
	struct cpu_timer_meter meter;
	int signal;                           /* that it sends */
	struct os_cpu_timer *_Atomic *slot;   /* its thread's pointer to it, once it has one */
	struct os_cpu_timer *_Atomic *listed; /* where its thread finds it first; or NULL */
	timer_t posix;
	bool posix_made;
	_Atomic int perf_fd; /* -1 when the POSIX timer is used; written after its identity */
	uint64_t perf_id;    /* the event's, unlike all others */
	struct os_identity identity;
	bool period_pending; /* perf: still on first_ns; the handler sets the meter's period */
	atomic_bool failed;  /* perf: that was not possible; the watch creates a POSIX timer */
};

#endif
