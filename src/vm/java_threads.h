/*
 * java_threads.h: the Java threads that are alive: their records, and the
 * state that modes keep for each.
 *
 * A thread comes to be known in its ThreadStart event, on the thread itself, or,
 * one that lives already when the agent is attached, from outside. It is found again
 * by JVM TI thread-local storage. A virtual thread has a record
 * only when a mode asks for it, and that mode has the VM tell of its end.
 */
#ifndef HPROF_VM_JAVA_THREADS_H
#define HPROF_VM_JAVA_THREADS_H

#include "profile/profile.h"

struct java_threads;

struct java_thread {
	uint32_t serial;
	uint64_t tid; /* what Thread.getId() returns; 0 when heap dumps do not need it */
	/* NULL while the VM is not live: names can't be asked for until then. */
	struct thread_record *record;
	os_thread id;
	JNIEnv *jni;
	bool is_virtual;     /* id and jni are then not its own */
	jweak object;        /* of a virtual thread that another one has asked for; else NULL */
	uint64_t vm_address; /* of the VM's thread, when it was found from outside; or 0 */
	void *sampling;      /* the CPU sampling engine's state of the thread */
	void *monitoring;    /* that of monitor=y */
	void *tracking;      /* the tracker's */
	_Atomic(void *) accounting; /* that of the microstates */
	/* Modes are being told of it, by itself or by another thread: it can't end, and no
	 * other one tells modes of it. */
	_Atomic bool is_notifying;
	bool leaving;          /* it is about to end; under the list's lock */
	size_t modes_notified; /* how many of the agent's modes know it; for who sets is_notifying
	                        */
	struct java_thread *prev;
	struct java_thread *next;
};

/* NULL without memory. */
struct java_threads *java_threads_create(struct profile *profile);
void java_threads_destroy(struct java_threads *threads, JNIEnv *jni);

/* The calling thread has started: makes its java_thread and, in the live phase,
 * writes THREAD START. NULL when it is known already, is hidden, or there is no
 * memory (reported). It is is_notifying until the caller has told all modes of it and
 * clears that. In the start or live phase, on the thread itself. */
struct java_thread *java_threads_start(struct java_threads *threads, JNIEnv *jni, jthread thread);

/* Told of a thread that lives already, which can't end meanwhile; its record is
 * there. */
typedef void java_thread_notify(void *argument, JNIEnv *jni, jthread object,
                                struct java_thread *thread);

/* The agent was attached: makes the java_threads of all that live and are not known,
 * writes their THREAD STARTs and has found called for each, on the calling thread.
 * Answers how many there are of which the VM does not tell enough: they are not in
 * the profile. Live phase, with ThreadStart and ThreadEnd enabled. */
size_t java_threads_add_existing(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument);

/* Has found called for all threads that are known already, except virtual ones. One that is
 * just being made known is waited for, but not for long: a debugger may have suspended it.
 * Answers how many were not waited for. Live phase. */
size_t java_threads_notify_known(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument);

/* The VM is live: completes the records of threads that started before. */
void java_threads_live(struct java_threads *threads, JNIEnv *jni);

/* What Thread.getId() returns, read from the field, as no code of the program may run; 0
 * when there is no such field. Live phase. */
uint64_t java_threads_tid(struct java_threads *threads, JNIEnv *jni, jthread object);

/* Calls visit for each thread in the profile, virtual ones too, except those whose names are
 * not known yet. Under the lock of the list: visit does not call JVM TI. */
void java_threads_visit_known(struct java_threads *threads,
                              void (*visit)(void *context, const struct java_thread *thread),
                              void *context);

/* Calls visit for each live platform thread that is not in the profile, such as the agent's.
 * Live phase; without the lock. */
void java_threads_visit_strangers(struct java_threads *threads, JNIEnv *jni,
                                  void (*visit)(void *context, JNIEnv *jni, jthread object),
                                  void *context);

/* Makes the record of a thread and writes THREAD START, with the names that object has, or
 * none for NULL. NULL without memory (reported). Live phase. */
struct thread_record *java_threads_record(struct java_threads *threads, JNIEnv *jni, jthread object,
                                          uint32_t serial, uint64_t tid);

/* Calls visit for each thread that is alive and in the profile, but for those whose names
 * are not known yet. Under the lock of the list, so that none ends meanwhile: visit runs
 * no Java code. Live phase. */
void java_threads_visit(struct java_threads *threads, JNIEnv *jni,
                        void (*visit)(void *context, JNIEnv *jni, jthread object,
                                      const struct java_thread *thread),
                        void *context);

/* The calling thread's java_thread, or NULL. */
struct java_thread *java_threads_current(struct java_threads *threads);

/* The same for a mode that wants virtual threads: when object, which runs on the
 * calling thread, is a virtual one that is not known, it comes to be known, with
 * THREAD START. NULL without memory (reported) too. Live phase. */
struct java_thread *java_threads_find_or_add(struct java_threads *threads, JNIEnv *jni,
                                             jthread object);

/* The serial of any thread; a virtual one comes to be known by this. 0 for threads
 * that are not known, such as hidden ones. Live phase. */
uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *jni, jthread object);

/* The serial of the live thread whose object has that id in the output, or 0. Live
 * phase; takes the lock. */
uint32_t java_threads_serial_by_object_id(struct java_threads *threads, uint64_t object_id);

/* Ends virtual threads that java_threads_serial() was asked for after the VM had told
 * of their end. No mode may have a state of them. Live phase. */
void java_threads_sweep(struct java_threads *threads, JNIEnv *jni);

/* The same, when the calling thread is about to end: from now on it is not found
 * from outside any more, and nobody is still telling modes of it. */
struct java_thread *java_threads_mark_ending(struct java_threads *threads);

/* The calling thread, or the virtual one on it, ends: writes THREAD END and frees its java_thread,
 * which no mode refers to any more. */
void java_threads_end(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread);

/* Keeps a thread of the agent's own out of the profile; called before it runs.
 * False without memory. */
bool java_threads_hide(struct java_threads *threads, JNIEnv *jni, jthread thread);

#endif
