/*
 * java_thread.h: what is known of one live Java thread, with the state that modes keep for it.
 * java_threads.h finds it.
 */
#ifndef HPROF_VM_JAVA_THREAD_H
#define HPROF_VM_JAVA_THREAD_H

#include "profile/profile.h"

struct java_threads;

struct java_thread {
	uint32_t serial;
	uint64_t tid; /* what Thread.getId() returns; 0 when heap dumps do not need it */
	/* NULL while the VM is not live: names can't be asked for until then. Its thread stores it
	 * without a lock, when the rest of this is there and the output knows the thread. */
	_Atomic(struct thread_record *) record;
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

#endif
