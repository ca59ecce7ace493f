/*
 * mounted_serial.h: the serial of the virtual thread that a carrier runs, for samples that a
 * signal handler takes of the carrier. A virtual thread without a record gets its serial when it
 * is first sampled, and its record later, outside the handler.
 *
 * Threads: the carrier changes the state, in its mount and unmount events and in its signal
 * handler, which may interrupt these. Other threads change it only in the ways that are marked.
 * Lock-free.
 */
#ifndef HPROF_VM_MOUNTED_SERIAL_H
#define HPROF_VM_MOUNTED_SERIAL_H

#include "model/threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The states, apart from a serial. */
enum {
	MOUNTED_NOTHING = 0,
	MOUNTED_UNKNOWN = 1,    /* the carrier existed before the profile */
	MOUNTED_UNNUMBERED = 2, /* a virtual thread without a serial */
};

/* A flag of a serial: the virtual thread got it from a sample and may have no record yet. */
#define MOUNTED_NEW (UINT32_C(1) << 31)

struct mounted_serial {
	_Atomic uint32_t state; /* one of the above, or a serial */
};

/* The serial for a sample of the carrier, with the flag MOUNTED_NEW if it is new; allocates one
 * if required. 0 stands for the carrier itself. On the carrier; async-signal-safe. */
uint32_t mounted_serial_sample(struct mounted_serial *mounted, struct thread_table *threads);

/* The state. Any thread. */
static inline uint32_t mounted_serial_state(const struct mounted_serial *mounted)
{
	return atomic_load_explicit(&mounted->state, memory_order_acquire);
}

/* Changes the state if it is `from`. On the carrier; other threads may change MOUNTED_UNKNOWN,
 * and remove the flag MOUNTED_NEW from a serial. */
bool mounted_serial_change(struct mounted_serial *mounted, uint32_t from, uint32_t to);

/* Whether that is the serial of the mounted thread, and still new. Any thread. */
static inline bool mounted_serial_is_new(const struct mounted_serial *mounted, uint32_t serial)
{
	return mounted_serial_state(mounted) == (serial | MOUNTED_NEW);
}

#endif
