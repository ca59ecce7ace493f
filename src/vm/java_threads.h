/*
 * java_threads.h: the live Java threads, from start to end. java_thread_records.h has what the
 * output knows of them, java_thread_visits.h visits all, java_thread_serials.h finds one by its
 * object.
 *
 * A thread is added in its ThreadStart event, on the thread itself; one that exists when
 * the agent is attached is added by the attaching thread. It is found again by JVM TI
 * thread-local storage. A virtual thread has a record only if a mode asks for it; that mode
 * also enables the event of its end.
 */
#ifndef HPROF_VM_JAVA_THREADS_H
#define HPROF_VM_JAVA_THREADS_H

#include "vm/java_thread.h"

/* NULL without memory. */
struct java_threads *java_threads_create(struct profile *profile);
void java_threads_destroy(struct java_threads *threads, JNIEnv *jni);

/* Keeps a thread of the agent's own out of the profile; called before it runs.
 * False without memory. */
bool java_threads_hide(struct java_threads *threads, JNIEnv *jni, jthread thread);

/* Whether that is such a thread. */
bool java_threads_is_hidden(struct java_threads *threads, JNIEnv *jni, jthread thread);

/* The calling thread has started: creates its java_thread and, in the live phase,
 * writes THREAD START. NULL if it is known already, is hidden, or memory is short
 * (reported). is_notifying is set; the caller notifies all modes of the thread, then
 * clears it. In the start or live phase, on the thread itself. */
struct java_thread *java_threads_start(struct java_threads *threads, JNIEnv *jni, jthread thread);

/* The VM is live: completes the records of threads that started before. */
void java_threads_live(struct java_threads *threads, JNIEnv *jni);

/* The calling thread's java_thread, or NULL. */
struct java_thread *java_threads_current(struct java_threads *threads);

/* The same, when the calling thread is about to end: from now on other
 * threads do not find it, and no thread is still notifying modes of it. */
struct java_thread *java_threads_mark_ending(struct java_threads *threads);

/* The calling thread, or the virtual one on it, ends: writes THREAD END and frees its java_thread,
 * which no mode refers to any more. */
void java_threads_end(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread);

#endif
