/*
 * monitor_threads.h: the threads that have waited for a monitor, and what each waits for
 * now. monitors.c updates a thread's entry on that thread; monitor_dump.c reads all.
 *
 * Locking: one lock protects the list; a thread takes it at its first wait and at its
 * end. Each entry has a lock that protects waits_for, so that a reader can create a
 * reference before the thread deletes its own. Lock order: list, entry.
 */
#ifndef HPROF_MONITOR_MONITOR_THREADS_H
#define HPROF_MONITOR_MONITOR_THREADS_H

#include "profile/profile.h"
#include "vm/java_threads.h"

struct monitor_site;

struct monitor_thread {
	uint32_t serial;
	jweak object; /* of a virtual thread; NULL for others */

	/* Used by the thread itself only. Times are os_monotonic_ns(). */
	struct monitor_site *site; /* where it waits to enter, or NULL */
	uint64_t enter_ns;         /* when that wait began */
	uint64_t wait_ns;          /* when its wait to be notified began, or 0 */

	struct os_mutex lock;
	jobject waits_for; /* it waits to be notified by this: a global reference, or NULL */

	struct monitor_thread *prev;
	struct monitor_thread *next;
};

struct monitor_threads;

/* NULL when out of memory. */
struct monitor_threads *monitor_threads_create(struct profile *profile);
/* Frees the entries, but not their JNI references: call monitor_threads_release() first,
 * unless the VM has ended. NULL is allowed. */
void monitor_threads_destroy(struct monitor_threads *threads);

/* Deletes the JNI references of all entries. No other thread may still use the list. */
void monitor_threads_release(struct monitor_threads *threads, JNIEnv *jni);

/* Returns the entry of the calling thread, platform or virtual, and adds it first if there
 * is none; object is the thread. NULL for threads outside the profile, such as the
 * agent's, and when out of memory, which fails the profile. Live phase. */
struct monitor_thread *monitor_threads_register(struct monitor_threads *threads, JNIEnv *jni,
                                                jthread object);

/* Returns the entry of the calling thread, or NULL. */
struct monitor_thread *monitor_threads_current(struct monitor_threads *threads);

/* Records that the calling thread waits to be notified by monitor, or, when monitor is NULL,
 * that it no longer waits. thread is its own entry. */
void monitor_thread_set_waits_for(struct monitor_thread *thread, JNIEnv *jni, jobject monitor);

/* Removes the entry of a thread that ends: the calling thread, or the virtual thread that it
 * carries. Does nothing if there is none. */
void monitor_threads_end(struct monitor_threads *threads, JNIEnv *jni, struct java_thread *thread);

/* A copy of one entry. The references are local, or NULL. */
struct monitor_thread_view {
	uint32_t serial;
	jthread object; /* of a virtual thread that has not been collected */
	jobject waits_for;
};

/* Returns copies of all entries, *count of them, which the caller frees. NULL when out of
 * memory. Any Java thread; takes the locks. */
struct monitor_thread_view *monitor_threads_view(struct monitor_threads *threads, JNIEnv *jni,
                                                 size_t *count);

#endif
