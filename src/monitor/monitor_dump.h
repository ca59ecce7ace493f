/*
 * monitor_dump.h: MONITOR DUMP: what all threads do, and the monitors that are owned
 * or waited for.
 *
 * No thread is stopped for it. Traces and states of the platform threads are of one
 * moment; each virtual thread, and each monitor with its owner and waiters, is of a
 * moment of its own just after that. What does not move, such as a deadlock, is
 * therefore told exactly.
 */
#ifndef HPROF_MONITOR_MONITOR_DUMP_H
#define HPROF_MONITOR_MONITOR_DUMP_H

#include "monitor/monitor_threads.h"
#include "profile/profile.h"

struct monitor_dump;

/* OnLoad phase. NULL without memory, or without what the VM must give for it. */
struct monitor_dump *monitor_dump_create(struct profile *profile, struct monitor_threads *threads);
void monitor_dump_destroy(struct monitor_dump *dump);

/* Writes a section, with the traces that it needs. Any Java thread in the live
 * phase; under the profile's dump lock. */
void monitor_dump_write(struct monitor_dump *dump, JNIEnv *jni);

#endif
