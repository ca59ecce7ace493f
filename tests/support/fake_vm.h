/*
 * fake_vm.h: a Java virtual machine that runs no Java. It has just so much of JNI
 * and JVM TI that an agent can be loaded, told of events, and asked to write its
 * profile; what a thread's stack is, the test says. For jvmti_host.c.
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
	_Atomic long unknown_calls; /* of functions that this VM has not */
	_Atomic long agent_threads; /* started by the agent */
};

extern struct fake_counts fake_counts;
extern jvmtiEventCallbacks fake_callbacks;

JavaVM *fake_vm(void);
jvmtiEnv *fake_jvmti(void);
JNIEnv *fake_jni(void);

/* Whether the agent has enabled the event. */
bool fake_enabled(jvmtiEvent event);

/* Binds the calling thread to its object. The VM lists it until it is detached. */
void fake_attach(struct fake_object *thread);
void fake_detach(void);

/* Lists a class as loaded and prepared. */
void fake_load_class(struct fake_object *class);

/* Has the class gone, and its method ids. */
void fake_unload_class(struct fake_object *class);

/* Waits for the threads that the agent has started. */
void fake_join_agent_threads(void);

#endif
