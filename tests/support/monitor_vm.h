/*
 * monitor_vm.h: a test double of the VM and of the agent's units for tests of
 * monitor/: objects with tags, monitors with their usage, and threads with states,
 * stacks and owned monitors. A test sets the fields of its objects directly. The
 * records that the unit writes are kept for the test.
 *
 * One thread only.
 */
#ifndef HPROF_TESTS_MONITOR_VM_H
#define HPROF_TESTS_MONITOR_VM_H

#include "monitor/monitor_dump.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"
#include "vm/java_threads.h"
#include "vm/virtual_threads.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { VM_LIST_MAX = 4, VM_THREADS_MAX = 8, VM_FRAMES_MAX = 8 };

/* An object of the VM. A jobject points to it; an object is its own class reference. */
struct vm_object {
	jlong tag;
	const struct class_record *class; /* NULL: the registry is out of memory */

	/* As a monitor. */
	jvmtiError usage_error;
	struct vm_object *owner;
	jint entry_count;
	struct vm_object *entering[VM_LIST_MAX]; /* jvmtiMonitorUsage.waiters */
	struct vm_object *waiting[VM_LIST_MAX];  /* jvmtiMonitorUsage.notify_waiters */

	/* As a thread. */
	struct java_thread java_thread;
	jint state;
	jvmtiFrameInfo stack[VM_LIST_MAX];
	jint depth;
	struct vm_object *owned[VM_LIST_MAX];
	struct vm_object *contended;
	struct vm_object *mounted; /* the virtual thread that it carries */
	bool is_under_construction;
};

extern struct monitor_vm {
	struct vm_object *platform_threads[VM_THREADS_MAX];
	struct vm_object *virtual_threads[VM_THREADS_MAX]; /* those on the heap */
	struct vm_object *current;
	bool has_virtual_threads;
	bool refuses_tags;
	long global_refs;
	long weak_refs;
	long local_frames;
	long environments; /* created and not disposed of */
	unsigned heap_iterations;
	unsigned misuses; /* calls that the VM does not allow; asserted later, as checks allocate */

	/* Written by the unit. */
	unsigned dumps;
	unsigned traces;
	struct monitor_dump_thread threads[VM_THREADS_MAX];
	size_t thread_count;
	struct monitor_dump_monitor monitors[VM_THREADS_MAX];
	uint32_t serials[VM_THREADS_MAX][2][VM_LIST_MAX]; /* of monitors: entering, waiting */
	size_t monitor_count;
	unsigned out_of_memory; /* reports */
} vm;

extern struct profile profile;

struct vm_object *vm_object(const void *reference);
jobject vm_ref(struct vm_object *object);
jvmtiEnv *vm_jvmti(void);
JNIEnv *vm_jni(void);

/* Starts a test with an empty VM and an empty model. */
void monitor_vm_set_up(void);
void monitor_vm_tear_down(void);

#endif
