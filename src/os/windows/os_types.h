/*
 * os_types.h (Windows): the structures that os.h leaves to the platform. Their
 * members are the platform layer's own. The system's header stays out of here: it
 * would bring thousands of names into the core.
 */
#ifndef HPROF_OS_TYPES_H
#define HPROF_OS_TYPES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* printf() is the compiler's (__USE_MINGW_ANSI_STDIO), not the C library's. */
#define OS_PRINTF_ARCHETYPE gnu_printf

/* An SRWLOCK, which is one pointer. */
struct os_mutex {
	void *lock;
};

/* An event object, and what saves calls of it without a waiter. */
struct os_event {
	void *object;
	_Atomic uint32_t signalled;
	_Atomic uint32_t waiters;
};

struct os_thread_handle {
	void *thread;
};

/* No timer interrupts a thread, so there is never one. */
struct os_context {
	void *machine;
};

struct os_cpu_clock {
	uint64_t last_cpu_ns; /* the last reading: the next is not less */
};

/* Not used on this system. */
struct os_run_queue {
	int fd;
};

/* There are none on this system. */
struct os_cpu_timer {
	void *user;
};

#endif
