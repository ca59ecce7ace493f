/*
 * java_thread_serials.h: which thread of the profile, and which serial, an object of
 * java.lang.Thread stands for. Virtual threads get theirs when they are first asked for.
 */
#ifndef HPROF_VM_JAVA_THREAD_SERIALS_H
#define HPROF_VM_JAVA_THREAD_SERIALS_H

#include "vm/java_thread.h"
#include "vm/mounted_serial.h"

/* The calling thread's java_thread, or NULL, for a mode that records virtual threads: if object,
 * which runs on the calling thread, is an unknown virtual thread, it is added, with THREAD START.
 * NULL also if out of memory (reported). Live phase. */
struct java_thread *java_threads_find_or_add(struct java_threads *threads, JNIEnv *jni,
                                             jthread object);

/* The serial of any thread; adds a virtual one that is not known. 0 for other unknown
 * threads, such as hidden ones. Live phase. */
uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *jni, jthread object);

/* The serial of a virtual thread, which a carrier runs and which got a new serial from a sample:
 * adds it with that serial unless it is known with another one. Does nothing and returns serial if
 * that is not new to the carrier any more, which makes such changes after it has called this
 * itself. 0 if the virtual thread has ended or memory is short (reported). Live phase; takes the
 * lock. */
uint32_t java_threads_add_mounted(struct java_threads *threads, JNIEnv *jni, jthread object,
                                  const struct mounted_serial *mounted, uint32_t serial);

/* The serial that names the calling thread in its traces. A virtual thread is added with
 * vthreads=y, else its carrier is meant. 0 for an unknown thread. Start or live phase. */
uint32_t java_threads_current_serial(struct java_threads *threads, JNIEnv *jni);

/* The serial of the live thread whose object has that id in the output, or 0. Live
 * phase; takes the lock. */
uint32_t java_threads_serial_by_object_id(struct java_threads *threads, uint64_t object_id);

/* Ends virtual threads that java_threads_serial() added after their end event. No mode may
 * have state for them. Live phase. */
void java_threads_sweep(struct java_threads *threads, JNIEnv *jni);

#endif
