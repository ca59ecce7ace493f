/*
 * call_counting.h: what cpu=times and cpu=old share: the call graph, the classes
 * instrumented to walk it, and the tracker that they call.
 */
#ifndef HPROF_CALLS_CALL_COUNTING_H
#define HPROF_CALLS_CALL_COUNTING_H

#include "calls/call_instrumenter.h"
#include "calls/tracker.h"
#include "profile/mode.h"

struct call_counting {
	struct profile *profile;
	struct call_graph *graph;
	struct instrumented_methods *methods;
	struct call_instrumenter instrumenter;
	struct tracker *tracker;
	_Atomic bool tracking; /* the Tracker class is there */
};

/* Makes the parts, for traces of depth frames, and says what they need. ended and
 * argument are the tracker's. False, with nothing to destroy, when it can't work. */
bool call_counting_init(struct call_counting *counting, struct profile *profile, uint32_t depth,
                        enum tracker_clock clock, tracked_thread_visit *ended, void *argument,
                        struct mode_needs *needs);

/* The live hook: from now on classes are instrumented. */
void call_counting_live(struct call_counting *counting, JNIEnv *jni);

/* The poll hook; under the dump lock. */
void call_counting_poll(struct call_counting *counting, JNIEnv *jni);

/* The rewrite_class hook. */
bool call_counting_instrument(struct call_counting *counting, const uint8_t *bytes, size_t length,
                              uint8_t **rewritten, size_t *rewritten_length);

/* The retire hook; and frees the parts. */
void call_counting_detach(struct call_counting *counting);
void call_counting_destroy(struct call_counting *counting);

/* The thread_found hook. */
void call_counting_add_existing_thread(struct call_counting *counting, struct java_thread *thread);

/* Writes a note on what could not be instrumented, if anything. */
void call_counting_write_note(struct call_counting *counting);

#endif
