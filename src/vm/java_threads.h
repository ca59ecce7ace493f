/*
 * java_threads.h: the live Java threads: their records, and the state that modes keep
 * for each.
 *
 * A thread is added in its ThreadStart event, on the thread itself; one that exists when
 * the agent is attached is added by the attaching thread. It is found again by JVM TI
 * thread-local storage. A virtual thread has a record only if a mode asks for it; that mode
 * also enables the event of its end.
 */
#ifndef HPROF_VM_JAVA_THREADS_H
#define HPROF_VM_JAVA_THREADS_H

#include "profile/profile.h"
#include "vm/mounted_serial.h"

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
	/* Modes are being notified of it, by itself or by another thread: until then it
	 * can't end, and no other thread notifies modes of it. */
	_Atomic bool is_notifying;
	bool leaving;          /* it is about to end; under the list's lock */
	size_t modes_notified; /* number of modes; for the thread that set is_notifying */
	struct java_thread *prev;
	struct java_thread *next;
};

/* NULL without memory. */
struct java_threads *java_threads_create(struct profile *profile);
void java_threads_destroy(struct java_threads *threads, JNIEnv *jni);

/* The calling thread has started: creates its java_thread and, in the live phase,
 * writes THREAD START. NULL if it is known already, is hidden, or memory is short
 * (reported). is_notifying is set; the caller notifies all modes of the thread, then
 * clears it. In the start or live phase, on the thread itself. */
struct java_thread *java_threads_start(struct java_threads *threads, JNIEnv *jni, jthread thread);

/* Called for an existing thread, which has a record and can't end during the call. */
typedef void java_thread_notify(void *argument, JNIEnv *jni, jthread object,
                                struct java_thread *thread);

/* Adds all live threads that are not known yet, since they started before the agent received
 * events, writes their THREAD STARTs and calls found for each, on the calling thread. Returns the
 * number of threads that the VM does not describe sufficiently: they are not in the profile. Live
 * phase, with ThreadStart and ThreadEnd enabled. */
size_t java_threads_add_existing(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument);

/* Calls found for all known threads, except virtual ones. Waits for a thread that modes are
 * just being notified of, but not for long: a debugger may have suspended it. Returns the
 * number of threads skipped for that reason. Live phase. */
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

/* Calls visit for each live thread in the profile, except those whose names are not known
 * yet. Under the lock of the list, so that none ends meanwhile: visit runs
 * no Java code. Live phase. */
void java_threads_visit(struct java_threads *threads, JNIEnv *jni,
                        void (*visit)(void *context, JNIEnv *jni, jthread object,
                                      const struct java_thread *thread),
                        void *context);

/* Brings the name of a known thread, which can't end meanwhile, up to date: if it has changed,
 * THREAD START is written again, with the same serial. object is not NULL. Live phase. */
void java_threads_update_name(struct java_threads *threads, JNIEnv *jni, jthread object,
                              struct java_thread *thread);

/* The same for all live threads except virtual ones: to ask for the name of one from another thread
 * could wait for it, under the lock. Live phase; takes the lock. */
void java_threads_update_names(struct java_threads *threads, JNIEnv *jni);

/* The calling thread's java_thread, or NULL. */
struct java_thread *java_threads_current(struct java_threads *threads);

/* The same for a mode that records virtual threads: if object, which runs on the calling
 * thread, is an unknown virtual thread, it is added, with THREAD START. NULL also if out
 * of memory (reported). Live phase. */
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

/* The same, when the calling thread is about to end: from now on other
 * threads do not find it, and no thread is still notifying modes of it. */
struct java_thread *java_threads_mark_ending(struct java_threads *threads);

/* The calling thread, or the virtual one on it, ends: writes THREAD END and frees its java_thread,
 * which no mode refers to any more. */
void java_threads_end(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread);

/* Keeps a thread of the agent's own out of the profile; called before it runs.
 * False without memory. */
bool java_threads_hide(struct java_threads *threads, JNIEnv *jni, jthread thread);

#endif
