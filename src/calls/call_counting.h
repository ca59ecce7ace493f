/*
 * call_counting.h: the main header of the room calls: cpu=times and cpu=old. Both count
 * calls exactly, and share what is declared here: the call graph, the instrumenter that
 * makes classes walk it, and the tracker that instrumented code calls.
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

/* Initializes the parts, for traces of depth frames, and adds to needs. collect and
 * argument are passed to tracker_create(). False, with nothing to destroy, without memory
 * or when the clock is unavailable: *reason is why, and what to write instead. */
bool call_counting_init(struct call_counting *counting, struct profile *profile, uint32_t depth,
                        enum tracker_clock clock, tracked_thread_visit *collect, void *argument,
                        struct mode_needs *needs, const char **reason);

/* The live hook: classes are instrumented from now on. */
void call_counting_live(struct call_counting *counting, JNIEnv *jni);

/* The poll hook. Under the dump lock. */
void call_counting_poll(struct call_counting *counting, JNIEnv *jni);

/* The rewrite_class hook. */
bool call_counting_instrument(struct call_counting *counting, const uint8_t *bytes, size_t length,
                              uint8_t **rewritten, size_t *rewritten_length);

/* The detach hook. */
void call_counting_detach(struct call_counting *counting);

/* Frees the parts. */
void call_counting_destroy(struct call_counting *counting);

/* The existing_thread hook. */
void call_counting_add_existing_thread(struct call_counting *counting, struct java_thread *thread);

/* Writes notes about calls that are not counted and methods that can't be instrumented,
 * if there are any. */
void call_counting_write_note(struct call_counting *counting);

#endif
