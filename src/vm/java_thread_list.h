/*
 * java_thread_list.h: the list of live threads, for the units of vm that find threads in it:
 * java_threads, java_thread_records, java_thread_serials, java_thread_visits.
 *
 * The lock covers the list and the change of the VM to the live phase: a thread that starts before
 * it gets its names from java_threads_live(), under the lock, so that it can't end meanwhile. JVM
 * TI functions called under the lock don't run Java code. To find a thread by another thread's
 * local storage, take the lock too: a thread that ends clears its own before it takes the lock to
 * leave the list.
 */
#ifndef HPROF_VM_JAVA_THREAD_LIST_H
#define HPROF_VM_JAVA_THREAD_LIST_H

#include "os/time_units.h"
#include "vm/java_thread.h"

#include <utlist.h>

/* The agent has few threads of its own: its worker, a sampler, the one of the commands. */
enum { HIDDEN_THREADS_MAX = 8 };

/* How often a thread checks whether another one has finished notifying the modes of one. */
#define NOTIFYING_CHECK_NS (100 * NS_PER_US)

struct java_threads {
	struct profile *profile;
	struct os_mutex lock;
	struct java_thread *list;
	bool live;
	/* Global reference; NULL in a VM without virtual threads. Any thread reads it. */
	_Atomic(jclass) virtual_class;
	_Atomic(jobject) hidden[HIDDEN_THREADS_MAX]; /* global references */
	_Atomic unsigned hidden_count;
	_Atomic(jfieldID) tid_field;     /* of java.lang.Thread; NULL until it is needed */
	_Atomic(jfieldID) carrier_field; /* of java.lang.VirtualThread; NULL until it is needed */
	_Atomic bool lacks_carrier_field;
	/* In the thread-local storage of a thread that has ended without being known. */
	struct java_thread ended;
};

/* What a thread's storage holds: a listed thread, &threads->ended, or NULL. object is NULL for the
 * calling thread. */
struct java_thread *java_threads_stored(struct java_threads *threads, jthread object);

/* Under the lock: lists the thread and binds it to its object, NULL for the calling thread. False
 * when that is bound already, or has ended. */
bool java_threads_bind(struct java_threads *threads, jthread object, struct java_thread *thread);

#endif
