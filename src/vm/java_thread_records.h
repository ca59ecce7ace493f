/*
 * java_thread_records.h: the records of Java threads in the output, THREAD START and THREAD END,
 * with the names and the id that the VM has for them.
 */
#ifndef HPROF_VM_JAVA_THREAD_RECORDS_H
#define HPROF_VM_JAVA_THREAD_RECORDS_H

#include "vm/java_thread.h"

/* What Thread.getId() returns, read from the field, as no code of the program may run; 0
 * when there is no such field. Live phase. */
uint64_t java_threads_tid(struct java_threads *threads, JNIEnv *jni, jthread object);

/* Makes the record of a thread and writes THREAD START, with the names that object has, or
 * none for NULL. NULL without memory (reported). Live phase. */
struct thread_record *java_threads_record(struct java_threads *threads, JNIEnv *jni, jthread object,
                                          uint32_t serial, uint64_t tid);

/* Gives a thread its record and writes THREAD START. Live phase. */
void java_threads_complete(struct java_threads *threads, JNIEnv *jni, jthread object,
                           struct java_thread *thread);

/* Writes THREAD END and frees the thread, which is out of the list. */
void java_threads_drop(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread);

/* Brings the name of a known thread, which can't end meanwhile, up to date: if it has changed,
 * THREAD START is written again, with the same serial. object is not NULL. Live phase. */
void java_threads_update_name(struct java_threads *threads, JNIEnv *jni, jthread object,
                              struct java_thread *thread);

/* The same for all live threads except virtual ones: to ask for the name of one from another thread
 * could wait for it, under the lock. Live phase; takes the lock. */
void java_threads_update_names(struct java_threads *threads, JNIEnv *jni);

#endif
