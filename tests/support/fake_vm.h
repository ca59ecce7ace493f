/*
 * fake_vm.h: a test double of the Java virtual machine, which runs no Java. It implements
 * what the agent uses of JNI and JVM TI for threads with names, groups, stacks and local
 * storage, classes with signatures and tags, and methods. The test sets the stacks and calls
 * the event callbacks. For jvmti_host.c, which loads the whole agent, and for unit tests of
 * the rooms that call the VM. A test that uses it calls fake_vm() first.
 *
 * Any thread may call the functions; a thread that is attached has its own current thread.
 */
#ifndef HPROF_TESTS_FAKE_VM_H
#define HPROF_TESTS_FAKE_VM_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>

/* What jobject, jclass, jthread and so on point to. */
struct fake_object {
	const char *name; /* of a thread or group; a class's signature */
	const char *source;
	jlong tag;
	struct fake_object *group; /* of a thread; of a group, its parent */
	void *agents;              /* thread-local storage of the agent */
	bool has_ended;            /* of a thread: GetThreadState reports it terminated */
	/* What the thread runs, innermost first; changed by the thread itself. */
	const jvmtiFrameInfo *_Atomic frames;
	_Atomic jint frame_count;

	/* Of a class. */
	struct fake_object *loader;
	jvmtiError loader_error; /* of GetClassLoader */
	const struct fake_method *const *methods;
	jint method_count;
	/* Unloaded as soon as AsyncGetCallTrace has had a frame of it, while the agent has
	 * the sample still to take in. */
	bool goes_when_sampled;
	_Atomic bool gone;
};

/* An id is freed with its class, as in JDK 26: the VM aborts when it is passed one that
 * is gone. Ids are never used twice. */
struct fake_method {
	struct fake_object *class;
	const char *name;
	const char *signature;
	jboolean native;
	jint first_line;
	jvmtiError name_error; /* of GetMethodName */
};

/* What has been done to the VM, to be checked at the end. */
struct fake_counts {
	_Atomic long allocated; /* blocks not given back */
	_Atomic long global_refs;
	_Atomic long local_frames;
	_Atomic long unknown_calls; /* of functions that this VM does not implement */
	_Atomic long agent_threads; /* started by the agent */
};

extern struct fake_counts fake_counts;
extern jvmtiEventCallbacks fake_callbacks;

JavaVM *fake_vm(void);
jvmtiEnv *fake_jvmti(void);
JNIEnv *fake_jni(void);

/* Forgets threads, classes and counts, and returns to the OnLoad phase. For tests that run
 * in one process; no thread of the agent may run. */
void fake_reset(void);

/* The phase that GetPhase reports; OnLoad at the start. */
void fake_set_phase(jvmtiPhase phase);

/* The version of JVM TI, that of JDK 11 at the start. */
void fake_set_version(jint version);

/* Whether the agent has enabled the event. */
bool fake_enabled(jvmtiEvent event);

/* Binds the calling thread to its object. The VM lists it until it is detached. */
void fake_attach(struct fake_object *thread);
void fake_detach(void);

/* Lists a class as loaded and prepared. */
void fake_load_class(struct fake_object *class);

/* Unloads the class and frees its method ids. */
void fake_unload_class(struct fake_object *class);

/* Waits for the threads that the agent has started. */
void fake_join_agent_threads(void);

#endif
