/*
 * tracker.h: the native part of java/lang/HprofTracker: defines the class, implements its
 * native methods, and keeps the call state of each thread.
 *
 * Locking: one lock covers the list of threads. It is held while a thread is visited, so
 * that the thread can't end meanwhile, and within it the thread's own lock.
 */
#ifndef HPROF_CALLS_TRACKER_H
#define HPROF_CALLS_TRACKER_H

#include "calls/call_graph.h"
#include "calls/call_state.h"
#include "calls/costs_by_thread.h"
#include "calls/instrumented_methods.h"
#include "calls/thread_breaks.h"
#include "calls/uncharged_costs.h"
#include "profile/profile.h"

struct tracker;

/* What the tracker measures in addition to counting calls. */
enum tracker_clock {
	TRACKER_NO_CLOCK,
	TRACKER_SAMPLED_CLOCK, /* CPU time is charged to the open call each millisecond */
	TRACKER_BOTH_CLOCKS,   /* CPU and wall time, read at each entry and exit */
	/* CPU time as by TRACKER_SAMPLED_CLOCK; and time off the CPU, where a thread's mark shows
	 * at an entry or exit that it had a break (os_cpu_clock_mark()). */
	TRACKER_BREAKS
};

/* A thread whose calls are tracked. */
struct tracked_thread {
	struct call_state *state; /* Java code has its address */
	/* Held while costs are collected from outside, and while they change their owner: */
	struct os_mutex lock;
	struct cost_owner self;    /* with its serial */
	struct cost_owner mounted; /* the virtual thread on it that has traces of its own */
	bool has_ended;            /* in the last call of tracker_create()'s collect */
	uint32_t begun_in;         /* virtual_calls.c: where one started last, */
	uint32_t beginning;        /* and the node that its calls began with */
	os_thread id;
	uint64_t vm_thread;        /* its key in the slots; 0 until it has entered */
	uint64_t existing_key;     /* an existing thread's key until it calls the tracker; else 0 */
	struct os_cpu_clock clock; /* msa=y */
	struct thread_breaks breaks;  /* msa=y */
	struct uncharged_costs shown; /* msa=y */
	struct os_cpu_timer timer;    /* of sampled CPU time */
	bool has_timer;
	/* Its costs change their owner: what its timer charged now would be of the calls of one and
	 * be collected for the other. */
	_Atomic bool changes_owner;
	_Atomic bool is_timed;  /* its timer charges CPU time; otherwise the charger does */
	unsigned waited_rounds; /* used by the charger */
	struct tracked_thread *prev;
	struct tracked_thread *next;
};

/* Called for a thread under the tracker's lock or, when its costs change their owner, under the
 * thread's. */
typedef void tracked_thread_visit(void *argument, struct tracked_thread *thread);

/* NULL without memory, or when the clock is unavailable: *reason is why, and what to write
 * instead. For TRACKER_BOTH_CLOCKS it takes TRACKER_BREAKS where the system has such marks and
 * timers, unless the clocks are asked for (engine=clock). There is one tracker at a time in a
 * process, and all have the same graph. Code instrumented for earlier trackers may pass numbers
 * that are not in methods: those calls are not counted. collect is called, with argument, when a
 * thread ends, before its tracked_thread is freed, and before its costs begin to be those of
 * another Java thread. */
struct tracker *tracker_create(struct profile *profile, struct call_graph *graph,
                               struct instrumented_methods *methods, enum tracker_clock clock,
                               tracked_thread_visit *collect, void *argument, const char **reason);

/* Hides the tracker from native methods, which do nothing from then on. */
void tracker_detach(struct tracker *tracker);

/* Frees the tracker, when no callback that may use it is in flight (active_callbacks.h). Java
 * code may still use states of threads: these stay allocated, without the memory of their
 * costs, until their thread calls another tracker. */
void tracker_destroy(struct tracker *tracker);

/* Defines the class HprofTracker, so that instrumented code can run. Live phase. False, with
 * the error reported, on failure. */
bool tracker_define_class(struct tracker *tracker, JNIEnv *jni);

/* Starts tracking the calling thread. NULL without memory (reported). */
struct tracked_thread *tracker_thread_start(struct tracker *tracker, uint32_t serial);

/* Adds an existing thread; vm_thread is the address of the VM's thread object. It is tracked
 * from its first call of an instrumented method on; until then its CPU time is charged to
 * the root. NULL without memory (reported), or when the thread has ended. */
struct tracked_thread *tracker_add_existing_thread(struct tracker *tracker, uint32_t serial,
                                                   os_thread id, uint64_t vm_thread);

/* The calling thread ends. thread is what one of the two functions above returned for it, or
 * NULL. */
void tracker_thread_end(struct tracker *tracker, struct tracked_thread *thread);

/* Discards the calling thread's costs up to now, which are the agent's. */
void tracker_discard_own(struct tracker *tracker);

/* Calls visit for each live thread, under the lock. */
void tracker_each_thread(struct tracker *tracker, tracked_thread_visit *visit, void *argument);

/* Before costs are collected: charges open calls with the time that the charger, where there
 * is one (charger.h), has not charged yet. */
void tracker_charge_rest(struct tracker *tracker);

/* What it measures. */
enum tracker_clock tracker_clock(const struct tracker *tracker);

/* The calling thread is about to wait: with both clocks, the time from now on is charged to the
 * open call even if its method does not read the clocks, and its next break has that cause.
 * WAIT_NONE: a wait is over. */
void tracker_announce_wait(struct tracker *tracker, enum wait_cause cause);

/* The calling thread; NULL if it is not tracked. */
struct tracked_thread *tracker_current(const struct tracker *tracker);

/* A virtual thread comes to the calling thread, or leaves it: charges the time up to now; from now
 * on the calls of open, an open word, are open, and the costs are those of that owner, a virtual
 * thread, or, if it is none, the calling thread's own. Returns the virtual thread before. */
struct cost_owner tracker_switch(struct tracker *tracker, struct tracked_thread *thread,
                                 const struct cost_owner *owner, uint64_t open);

/* Whose the costs are now. On the thread, or with its lock. */
struct cost_owner *tracked_thread_owner(struct tracked_thread *thread);

/* What the calling thread, or the virtual one on it, is about to park for: WAIT_LOCK or
 * WAIT_SLEEP. In a native method or a callback. */
enum wait_cause tracker_park_cause(const struct tracker *tracker, JNIEnv *jni);

/* With both clocks: a collection begins, ends. In its event, on a thread of the VM. */
void tracker_collection_started(struct tracker *tracker);
void tracker_collection_finished(struct tracker *tracker);

/* Reads both clocks of a thread: the time it has not charged yet. False for one that is not
 * tracked yet, or that is charging. Under the lock, in a visit. */
bool tracker_uncharged(struct tracked_thread *thread, struct uncharged_time *time);

/* Whether a charger (charger.h) is to be started, since some threads have no CPU timer. True once;
 * on one thread at a time. */
bool tracker_charger_is_due(struct tracker *tracker);

/* Whether the charger charges that thread's CPU time. Under the lock, in a visit. */
bool tracker_is_charged_outside(const struct tracker *tracker, const struct tracked_thread *thread);

/* Checks the threads' CPU timers and finds the VM's counters; under the dump lock. */
void tracker_poll(struct tracker *tracker);

/* Writes notes about these timers to the output. */
void tracker_write_notes(struct tracker *tracker);

/* With both clocks: writes notes about what is not known of breaks. */
void tracker_write_break_notes(const struct tracker *tracker);

/* Stops charging time. Any thread, under the dump lock. */
void tracker_stop(struct tracker *tracker);
bool tracker_is_stopped(struct tracker *tracker);

/* A phrase for messages: what charges CPU time to open calls. */
const char *tracker_clock_name(const struct tracker *tracker);

#endif
