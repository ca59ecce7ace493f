/*
 * vm_threads.h: finds the system's id and the JNIEnv of a thread from its Thread object,
 * from any thread, in HotSpot's own structures.
 */
#ifndef HPROF_HOTSPOT_VM_THREADS_H
#define HPROF_HOTSPOT_VM_THREADS_H

#include "os/os.h"

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* How to get from a Thread object to the VM's own thread, and from there on. */
struct vm_threads {
	bool known;
	jfieldID vm_thread; /* Thread.eetop: the address of the VM's thread, 0 without */
	intptr_t jni;       /* offset of its JNIEnv */
	uint64_t os_thread; /* offset of the pointer to what the VM knows of the system's */
	uint64_t id;        /* offset there of the system's thread id */
};

/* What the VM knows of one thread. */
struct vm_thread {
	uint64_t address;
	JNIEnv *jni;
	os_thread id;
};

/* Finds the offsets; known is false in a VM that does not export them, or in which they do not
 * give the calling thread's own id. Live phase. */
void vm_threads_find(struct vm_threads *threads, jvmtiEnv *jvmti, JNIEnv *jni);

/* Looks at a platform thread, the calling one or another. False if it has ended or is
 * about to, or if known is false. */
bool vm_threads_look(const struct vm_threads *threads, JNIEnv *jni, jthread object,
                     struct vm_thread *found);

#endif
