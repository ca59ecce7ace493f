/*
 * tracker.h: the native side of java/lang/HprofTracker: the class itself, its
 * native methods, and the call state of each thread.
 *
 * Locking: one lock covers the list of threads; it is held while one of them is
 * visited, so that it can't end meanwhile.
 */
#ifndef HPROF_CALLS_TRACKER_H
#define HPROF_CALLS_TRACKER_H

#include "calls/call_graph.h"
#include "calls/call_state.h"
#include "calls/instrumented_methods.h"
#include "profile/profile.h"

struct tracker;

/* What the tracker measures beside counting calls. */
enum tracker_clock {
	TRACKER_NO_CLOCK,
	TRACKER_SAMPLED_CLOCK, /* CPU time is charged to the open call each millisecond */
	TRACKER_BOTH_CLOCKS    /* CPU and wall time, read at each entry and exit */
};

/* A thread whose calls are tracked. */
struct tracked_thread {
	struct call_state state; /* first: Java code knows its address */
	uint32_t serial;
	os_thread id;
	uint64_t vm_thread;        /* its key in the slots, once it has entered itself */
	uint64_t existing_key;     /* found from outside, with that key; 0 once it has come */
	struct os_cpu_clock clock; /* msa=y */
	struct os_cpu_timer timer; /* msa=n */
	bool has_timer;
	unsigned waited_rounds; /* the charger's */
	struct tracked_thread *prev;
	struct tracked_thread *next;
};

/* Called, under the tracker's lock, for a thread whose costs are to be taken. */
typedef void tracked_thread_visit(void *argument, struct tracked_thread *thread);

/* NULL without memory, or where there is no way to have the clock that is wanted.
 * There is one tracker at a time in a process, and all have the same graph: native
 * methods find it by a pointer of tracker.c. Code of earlier trackers may call methods
 * that are not among methods: they are not counted. ended is called when a thread has
 * ended, for the last time. */
struct tracker *tracker_create(struct profile *profile, struct call_graph *graph,
                               struct instrumented_methods *methods, enum tracker_clock clock,
                               tracked_thread_visit *ended, void *argument);

/* Native methods find no tracker any more. */
void tracker_detach(struct tracker *tracker);

/* Frees it, when nobody is inside (active_callbacks.h) who may have found it. Java code of
 * the program may still hold states: their memory stays, without their costs, until
 * their thread comes to another tracker. */
void tracker_destroy(struct tracker *tracker);

/* Defines the Tracker class, so that instrumented code may run. Live phase. False
 * with the reason reported. */
bool tracker_define_class(struct tracker *tracker, JNIEnv *jni);

/* The calling thread starts. NULL without memory (reported). */
struct tracked_thread *tracker_thread_start(struct tracker *tracker, uint32_t serial);

/* Another thread lives already, with that address in the VM. It comes to be tracked
 * when it calls an instrumented method for the first time; its CPU time until then
 * is charged to the root. NULL without memory (reported), or when it has ended. */
struct tracked_thread *tracker_add_existing_thread(struct tracker *tracker, uint32_t serial,
                                                   os_thread id, uint64_t vm_thread);

/* The calling thread, to which one of these two gave thread (NULL is fine), ends. */
void tracker_thread_end(struct tracker *tracker, struct tracked_thread *thread);

/* The calling thread's calls and time up to now were ours: they don't count. */
void tracker_discard_own(struct tracker *tracker);

/* Visits all threads that are alive, under the lock. */
void tracker_each_thread(struct tracker *tracker, tracked_thread_visit *visit, void *argument);

/* Before costs are taken: charges the open calls for what a thread of the agent, where one
 * does that (charger.h), has yet to charge. */
void tracker_charge_rest(struct tracker *tracker);

/* The calling thread is about to wait: with both clocks, the open call is charged for it
 * even if its method is one that does not read them. */
void tracker_charge_wait(struct tracker *tracker);

/* Whether a thread of the agent must charge CPU time (charger.h), since threads have no CPU
 * timers that do. */
bool tracker_needs_charger(const struct tracker *tracker);

/* Looks after the threads' CPU timers; under the dump lock. True when the program has just
 * taken their signal: from now on a charger is needed. */
bool tracker_poll(struct tracker *tracker);

/* Writes what a reader of the costs should know of these timers. */
void tracker_write_notes(const struct tracker *tracker);

/* No time is charged any more. */
void tracker_stop(struct tracker *tracker);
bool tracker_is_stopped(struct tracker *tracker);

/* One phrase for messages: what charges CPU time to open calls. */
const char *tracker_clock_name(const struct tracker *tracker);

#endif
