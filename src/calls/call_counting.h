/*
 * call_counting.h: the main header of the room calls: cpu=times and cpu=old. Both count
 * calls exactly, and share what is declared here: the call graph, the instrumenter that
 * makes classes walk it, and the tracker that instrumented code calls. It is a part of both
 * modes (mode.h).
 *
 * Threads and locks: a thread's call state is written by the thread only; costs are
 * collected from it by others without stopping it. The call graph, the list of tracked
 * threads and the table of method numbers have a lock each. Order: the profile's dump
 * lock, the tracker's lock, the mode's lock for collected costs. Method entries and exits
 * take no lock.
 */
#ifndef HPROF_CALLS_CALL_COUNTING_H
#define HPROF_CALLS_CALL_COUNTING_H

#include "calls/call_instrumenter.h"
#include "calls/charger.h"
#include "calls/tracker.h"
#include "profile/mode.h"

struct call_counting {
	struct profile *profile;
	struct call_graph *graph;
	struct instrumented_methods *methods;
	struct call_instrumenter instrumenter;
	struct tracker *tracker;
	struct charger charger;
	_Atomic bool tracking; /* the tracker class is defined: classes are instrumented */
};

/* Creates what the struct has, for traces of depth frames, and adds to needs. collect and
 * argument are passed to tracker_create(). False, with nothing to destroy, without memory
 * or when the clock is unavailable: *reason is why, and what to write instead. */
bool call_counting_init(struct call_counting *counting, struct profile *profile, uint32_t depth,
                        enum tracker_clock clock, tracked_thread_visit *collect, void *argument,
                        struct mode_needs *needs, const char **reason);

/* For mode_needs_part(). From the live hook on classes are instrumented. */
extern const struct mode_ops call_counting_hooks;

/* What a mode with a clock does in its poll hook. Under the dump lock. */
void call_counting_poll(struct call_counting *counting, JNIEnv *jni);

/* Frees what init has created. */
void call_counting_destroy(struct call_counting *counting);

/* Writes notes about calls that are not counted and methods that can't be instrumented,
 * if there are any. */
void call_counting_write_note(struct call_counting *counting);

#endif
