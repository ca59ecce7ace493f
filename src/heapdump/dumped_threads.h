/*
 * dumped_threads.h: the threads of the output by the number that Java knows them by
 * (Thread.getId()), for heap dumps. A thread that has a root in a dump and is not in the
 * profile (the agent's, virtual) gets a record of its own, which it keeps in later dumps. On
 * the thread that dumps, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMPED_THREADS_H
#define HPROF_HEAPDUMP_DUMPED_THREADS_H

#include "heapdump/merge_ops.h"
#include "profile/profile.h"

#include <stdint.h>

struct dumped_threads;

/* For all dumps of a profile. NULL without memory. */
struct dumped_threads *dumped_threads_create(struct profile *profile);
void dumped_threads_destroy(struct dumped_threads *threads);

/* A dump begins: notes the threads in the profile. False without memory. Live phase. */
bool dumped_threads_begin(struct dumped_threads *threads);

/* The thread of that number, whose THREAD START has been written: of one that is not in the
 * profile by this call. Serial 0 without memory. Within a dump, live phase. */
struct merge_thread dumped_threads_find(struct dumped_threads *threads, JNIEnv *jni, uint64_t tid);

/* The dump ends: threads of dumped_threads_find() that it did not have any more are ended. */
void dumped_threads_end(struct dumped_threads *threads);

#endif
