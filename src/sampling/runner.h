/*
 * runner.h: the thread that runs on a platform thread, which is a carrier if it runs a virtual
 * thread. Live phase; calls the VM. No state, no lock.
 */
#ifndef HPROF_SAMPLING_RUNNER_H
#define HPROF_SAMPLING_RUNNER_H

#include "profile/profile.h"
#include "vm/virtual_threads.h"

/* The virtual thread that the thread runs, a local reference, or the thread itself. find is NULL
 * where there are no virtual threads. */
jthread runner_of(struct profile *profile, virtual_thread_of *find, jthread thread);

/* The serial of a thread's runner if virtual threads have their own; else own_serial, the thread's.
 * Adds a virtual thread that is not known. */
uint32_t runner_serial(struct profile *profile, JNIEnv *jni, jthread thread, jthread runner,
                       bool virtual_threads, uint32_t own_serial);

#endif
