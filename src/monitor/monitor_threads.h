/*
 * monitor_threads.h: the threads that have had to do with monitors: what each
 * waits for right now. monitors.c keeps that up to date on the thread itself,
 * monitor_dump.c reads it.
 *
 * Locking: one lock covers the list; a thread takes it when it is met first and
 * when it ends. Each thread's own lock covers what it waits to be notified by, so
 * that a reader can take a reference to it. It is taken under the list's.
 */
#ifndef HPROF_MONITOR_MONITOR_THREADS_H
#define HPROF_MONITOR_MONITOR_THREADS_H

#include "profile/profile.h"
#include "vm/java_threads.h"

struct monitor_site;

struct monitor_thread {
	uint32_t serial;
	jweak object; /* of a virtual thread; NULL for others */

	/* The thread's own: where it waits to enter, or NULL, and since when, by
	 * os_monotonic_ns(); since when it waits to be notified. */
	struct monitor_site *site;
	uint64_t enter_ns;
	uint64_t wait_ns;

	struct os_mutex lock;
	jobject waits_for; /* global reference; NULL when it doesn't */

	struct monitor_thread *prev;
	struct monitor_thread *next;
};

struct monitor_threads;

/* NULL without memory. */
struct monitor_threads *monitor_threads_create(struct profile *profile);
/* No VM may be left. */
void monitor_threads_destroy(struct monitor_threads *threads);

/* Gives the VM its references back, before they are destroyed in a VM that lives on.
 * Nobody else uses the threads any more. */
void monitor_threads_release(struct monitor_threads *threads, JNIEnv *jni);

/* That of the calling thread, which object is, platform or virtual; made when it is
 * met first. NULL for hidden threads and those that have no number, and without
 * memory (reported). Live phase. */
struct monitor_thread *monitor_threads_meet(struct monitor_threads *threads, JNIEnv *jni,
                                            jthread object);

/* That of the calling thread if it has been met, else NULL. */
struct monitor_thread *monitor_threads_current(struct monitor_threads *threads);

/* The calling thread waits to be notified by monitor, or does no more (NULL). */
void monitor_thread_waits(struct monitor_thread *thread, JNIEnv *jni, jobject monitor);

/* The calling thread, or the virtual one on it, ends. */
void monitor_threads_end(struct monitor_threads *threads, JNIEnv *jni, struct java_thread *thread);

/* One of them at one moment. Local references, or NULL. */
struct monitor_thread_view {
	uint32_t serial;
	jthread object; /* of a virtual thread that is still there */
	jobject waits_for;
};

/* All of them, in memory that the caller frees; *count of them. NULL without
 * memory. Any Java thread. */
struct monitor_thread_view *monitor_threads_view(struct monitor_threads *threads, JNIEnv *jni,
                                                 size_t *count);

#endif
