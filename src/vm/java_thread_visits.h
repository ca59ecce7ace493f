/*
 * java_thread_visits.h: all threads in turn: those that exist when the agent is attached, those in
 * the profile, and those that are not.
 */
#ifndef HPROF_VM_JAVA_THREAD_VISITS_H
#define HPROF_VM_JAVA_THREAD_VISITS_H

#include "vm/java_thread.h"

/* Called for an existing thread, which has a record and can't end during the call. */
typedef void java_thread_notify(void *argument, JNIEnv *jni, jthread object,
                                struct java_thread *thread);

/* Adds all live threads that are not known yet, since they started before the agent received
 * events, writes their THREAD STARTs and calls notify for each, on the calling thread. Returns the
 * number of threads that the VM does not describe sufficiently: they are not in the profile. Live
 * phase, with ThreadStart and ThreadEnd enabled. */
size_t java_threads_add_existing(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *notify, void *argument);

/* Calls notify for all known threads, except virtual ones. Waits for a thread that modes are
 * just being notified of, but not for long: a debugger may have suspended it. Returns the
 * number of threads skipped for that reason. Live phase. */
size_t java_threads_notify_known(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *notify, void *argument);

/* Calls visit for each live thread in the profile, except those whose names are not known
 * yet. Under the lock of the list, so that none ends meanwhile: visit runs
 * no Java code. Live phase. */
void java_threads_visit(struct java_threads *threads, JNIEnv *jni,
                        void (*visit)(void *context, JNIEnv *jni, jthread object,
                                      const struct java_thread *thread),
                        void *context);

/* Calls visit for each thread in the profile, virtual ones too, except those whose names are
 * not known yet. Under the lock of the list: visit does not call JVM TI. */
void java_threads_visit_known(struct java_threads *threads,
                              void (*visit)(void *context, const struct java_thread *thread),
                              void *context);

/* Calls visit for each live platform thread that is not in the profile, such as the agent's.
 * Live phase; without the lock. */
void java_threads_visit_unlisted(struct java_threads *threads, JNIEnv *jni,
                                 void (*visit)(void *context, JNIEnv *jni, jthread object),
                                 void *context);

#endif
