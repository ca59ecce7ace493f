/*
 * thread_breaks.h: what one thread knows of its breaks: the accounts that explain them, and what
 * it is about to wait for. Used by the thread itself; others may read the cause, and close the
 * accounts when it no longer uses them. No lock, no memory.
 */
#ifndef HPROF_CALLS_THREAD_BREAKS_H
#define HPROF_CALLS_THREAD_BREAKS_H

#include "calls/break_causes.h"
#include "vm/vm_pauses.h"

struct thread_breaks {
	struct os_run_queue queue;
	bool has_queue;
	int queue_error; /* why it has none */
	/* A node, and the enum wait_cause of its next break; and of its breaks during a call. */
	_Atomic uint64_t announced;
	_Atomic uint64_t called;
	const struct vm_pauses *pauses;
	bool queue_missed; /* the last reading of the queue failed */
	/* At the last break: */
	uint64_t queued_ns;
	struct os_self_waits waits;
	struct vm_pauses_reading paused;
};

/* Opens the accounts, on the thread itself, and starts at now. pauses must outlive the
 * thread_breaks. */
void thread_breaks_start(struct thread_breaks *breaks, const struct vm_pauses *pauses);

/* Closes the accounts. Does nothing to those that were never started, if all bytes are 0, or
 * are closed. */
void thread_breaks_end(struct thread_breaks *breaks);

/* Forgets all breaks up to now. */
void thread_breaks_skip(struct thread_breaks *breaks);

/* The thread is about to wait, and the node charged: its next break has this cause. */
void thread_breaks_announce(struct thread_breaks *breaks, uint32_t node, enum wait_cause cause);

/* The thread is about to call a native method that waits, and the node charged: its breaks have
 * this cause until thread_breaks_returned(). There can be several: to link the method, the VM can
 * stop the thread, and run Java code, which has other nodes. */
void thread_breaks_calls(struct thread_breaks *breaks, uint32_t node, enum wait_cause cause);

/* The node's native method has returned. */
void thread_breaks_returned(struct thread_breaks *breaks, uint32_t node);

/* What the thread waits for, kept for a virtual thread while it is on no carrier. */
struct thread_waits {
	uint64_t announced;
	uint64_t called;
};

/* A virtual thread leaves the thread, with what was announced for it, or is on it again. */
struct thread_waits thread_breaks_leave(struct thread_breaks *breaks);
void thread_breaks_resume(struct thread_breaks *breaks, const struct thread_waits *waits);

/* The cause and the node of the call that thread_breaks_calls() announced, if it has not
 * returned: by an exception it has not, either. */
enum wait_cause thread_breaks_called(const struct thread_breaks *breaks, uint32_t *node);

/* The cause of a break of that node now. Any thread. */
enum wait_cause thread_breaks_cause(const struct thread_breaks *breaks, uint32_t node);

/* A charge of a node's time. */
struct break_charge {
	struct thread_breaks *breaks;
	uint32_t node;
};

/* Explains a break of ns that ends now, and forgets what was announced for the next. A
 * call_state_explain, argument is a struct break_charge. */
void thread_breaks_explain(void *argument, uint64_t ns, uint64_t states_ns[OFF_CPU_STATES]);

#endif
