/*
 * monitor_dump.h: writes MONITOR DUMP sections: the stack and state of every thread, and
 * every monitor that a thread owns or waits for.
 *
 * No thread is suspended. The VM reads the stacks and states of all platform threads at
 * one safepoint. Virtual threads, and monitors with their owners and waiters, are read
 * one by one after that, so they may have changed since. What does not change, such as
 * a deadlock, is reported exactly.
 */
#ifndef HPROF_MONITOR_MONITOR_DUMP_H
#define HPROF_MONITOR_MONITOR_DUMP_H

#include "monitor/monitor_threads.h"
#include "profile/profile.h"

struct monitor_dump;

/* OnLoad or live phase. The dump keeps both pointers. NULL when out of memory, or when the
 * VM refuses an environment that can tag objects. */
struct monitor_dump *monitor_dump_create(struct profile *profile, struct monitor_threads *threads);
void monitor_dump_destroy(struct monitor_dump *dump);

/* Writes one section and those of its traces that are new. Live phase, on any Java thread;
 * the caller holds the profile's dump lock. Out of memory fails the profile. */
void monitor_dump_write(struct monitor_dump *dump, JNIEnv *jni);

#endif
