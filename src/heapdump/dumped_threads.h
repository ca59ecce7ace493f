/*
 * dumped_threads.h: finds threads of the output by their Java number (Thread.getId()), for heap
 * dumps. A thread with a root in a dump that is not in the profile, such as a virtual thread or
 * one of the agent, gets a record of its own, which later dumps use too. On the thread that
 * dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMPED_THREADS_H
#define HPROF_HEAPDUMP_DUMPED_THREADS_H

#include "heapdump/merge_job.h"
#include "profile/profile.h"

#include <stdint.h>

struct dumped_threads;

/* One for all dumps of a profile. NULL when out of memory. */
struct dumped_threads *dumped_threads_create(struct profile *profile);
void dumped_threads_destroy(struct dumped_threads *threads);

/* Begins a dump: lists the threads of the profile. False when out of memory. Live phase. */
bool dumped_threads_begin(struct dumped_threads *threads);

/* The thread with that number. Its THREAD START has been written; for a thread that is not in
 * the profile this call writes it. Serial 0 when out of memory. Between begin and end of a
 * dump, live phase. */
struct merge_thread dumped_threads_find(struct dumped_threads *threads, JNIEnv *jni, uint64_t tid);

/* Ends a dump: writes THREAD END for unlisted threads that this dump did not refer to. */
void dumped_threads_end(struct dumped_threads *threads);

#endif
