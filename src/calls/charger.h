/*
 * charger.h: an agent thread that charges CPU time to the open calls of all threads, unless
 * their CPU timers do.
 */
#ifndef HPROF_CALLS_CHARGER_H
#define HPROF_CALLS_CHARGER_H

#include "calls/tracker.h"

/* The rounds so far. Their pace is written by the agent thread alone. */
struct charger {
	struct tracker *tracker;
	/* Sums of the times between the starts of rounds, in nanoseconds, and of their cubes. */
	_Atomic double apart_ns;
	_Atomic double apart_cubes;
	_Atomic uint64_t most_ns; /* of CPU time that a thread had used since it was last charged */
};

/* Adds the time between the starts of two rounds. The agent thread. */
void charger_add_pace(struct charger *charger, uint64_t apart_ns);

/* The time between rounds around a moment chosen at random, as a root mean square: the CPU time
 * that can go to another call at each change of calls. 0 without rounds. Any thread. */
double charger_pace_ns(const struct charger *charger);

/* The most CPU time that went to the call open at a round, or at a later one: what the time of a
 * stretch of a call can be off. Any thread. */
uint64_t charger_most_ns(const struct charger *charger);

/* When the next round starts, after a round that started at began_ns, ended at now_ns
 * (both by os_monotonic_ns()) and used used_ns of CPU time; round is its number. Pure. */
uint64_t charger_next_ns(uint64_t began_ns, uint64_t now_ns, uint64_t used_ns, uint64_t round);

/* Runs the agent thread (jvmtiStartFunction); charger is the struct charger. Returns when
 * tracker_is_stopped(). */
void JNICALL charger_run(jvmtiEnv *jvmti, JNIEnv *jni, void *charger);

#endif
