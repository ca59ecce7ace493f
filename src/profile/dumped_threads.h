/*
 * dumped_threads.h: the threads of the profile that are alive at a heap dump, by the
 * number that Java and JVM TI know them by (Thread.getId()). On the thread that dumps,
 * under the profile's dump lock.
 */
#ifndef HPROF_PROFILE_DUMPED_THREADS_H
#define HPROF_PROFILE_DUMPED_THREADS_H

#include "output/heap_splice.h"
#include "profile/profile.h"

#include <stdint.h>

struct dumped_threads;

/* The threads alive now. NULL without memory. Live phase. */
struct dumped_threads *dumped_threads_create(struct profile *profile, JNIEnv *jni);
void dumped_threads_destroy(struct dumped_threads *threads);

/* The thread of that number; one that the profile does not have (of the VM, virtual, or
 * younger than the list) gets a serial that no other has, and no object id. */
struct heap_splice_thread dumped_threads_find(struct dumped_threads *threads, uint64_t tid);

#endif
