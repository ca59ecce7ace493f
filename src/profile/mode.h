/*
 * mode.h: a way of profiling, as the agent sees it. The agent asks each wanted
 * mode what it needs, enables exactly the union, and calls its hooks. A new mode
 * is a new file and one line in modes.c.
 */
#ifndef HPROF_PROFILE_MODE_H
#define HPROF_PROFILE_MODE_H

#include "profile/net_command.h"
#include "profile/profile.h"

struct java_thread;

/* What a mode needs of the VM beyond thread starts and ends, VM start and death
 * and data dump requests, which the agent always asks for. */
struct mode_needs {
	jvmtiCapabilities capabilities; /* asked for where the VM has them */
	bool class_load;                /* ClassLoad events enabled */
	bool class_prepare;             /* the class_prepare hook is called */
	bool compiled_method_load;      /* CompiledMethodLoad events enabled */
	bool class_file_load;           /* the rewrite_class hook is called */
	bool monitor_contention;        /* the hooks of that are called, if the VM can */
	bool monitor_waits;             /* the same */
	bool virtual_thread_end;        /* the same, with can_support_virtual_threads */
	bool object_allocation;         /* the object_allocated hook is called */
	bool vm_object_allocation;      /* the vm_object_allocated hook is called, if the VM can */
	bool garbage_collection;        /* the hooks of that are called */
};

/* For modes that rewrite classes, those that are loaded already too. */
static inline void mode_needs_rewriting(struct mode_needs *needs)
{
	needs->class_file_load = true;
	needs->capabilities.can_generate_all_class_hook_events = 1;
	needs->capabilities.can_retransform_classes = 1;
	needs->capabilities.can_retransform_any_class = 1;
}

/* All hooks may be NULL but wanted, of those in mode_table, create and destroy. */
struct mode_ops {
	/* What messages call it: "CPU usage by sampling running threads"; NULL for one
	 * that writes nothing. */
	const char *title;

	bool (*is_selected)(const struct settings *settings);

	/* Before the VM is up (OnLoad phase), or in the live phase, when the agent is
	 * attached or a command starts the mode: makes the mode's state and says what it needs.
	 * NULL, with the reason printed, when it can't work. */
	void *(*create)(struct profile *profile, struct mode_needs *needs);

	/* The VM is live; on its main thread, which has had its thread_start, on the
	 * attaching thread, or on the one that carries out commands, under the dump lock. */
	void (*live)(void *mode, JNIEnv *jni);

	/* Everything is set up, main() comes next or goes on; on the same thread. */
	void (*begin)(void *mode);

	/* A thread starts or ends; on the thread itself. Starts may come before
	 * the live phase; the thread's record is then not there yet. */
	void (*thread_start)(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread);
	void (*thread_end)(void *mode, JNIEnv *jni, struct java_thread *thread);

	/* A virtual thread ends whose record a mode has asked for; on its carrier. */
	void (*virtual_thread_end)(void *mode, JNIEnv *jni, struct java_thread *thread);

	/* A thread that lives already when the agent is attached or the mode is started, in
	 * the place of thread_start: on the live hook's thread, after it. The thread runs
	 * on, but can't end meanwhile. Its thread_end comes as ever. */
	void (*existing_thread)(void *mode, JNIEnv *jni, jthread object,
	                        struct java_thread *thread);

	/* A thread has to wait for a monitor that another one owns, and has got it; on
	 * the thread itself, but for a virtual thread, on its carrier's. Live phase. */
	void (*monitor_contended_enter)(void *mode, JNIEnv *jni, jthread thread, jobject monitor);
	void (*monitor_contended_entered)(void *mode, JNIEnv *jni, jthread thread, jobject monitor);

	/* A thread begins to wait for a notification, at most timeout_ms unless that is
	 * 0, and has waited; as above. */
	void (*monitor_wait)(void *mode, JNIEnv *jni, jthread thread, jobject monitor,
	                     int64_t timeout_ms);
	void (*monitor_waited)(void *mode, JNIEnv *jni, jthread thread, jobject monitor);

	/* An object was allocated, or one of those that the VM samples; on the thread that
	 * did it. Start or live phase. */
	void (*object_allocated)(void *mode, JNIEnv *jni, jobject object, jclass class, jlong size);

	/* The VM has made an object for a native method of its own (VMObjectAlloc); on the
	 * thread it made it for. Live phase. */
	void (*vm_object_allocated)(void *mode, JNIEnv *jni, jobject object, jclass class,
	                            jlong size);

	/* A garbage collection, or a pause of one, begins or ends; on a thread of the VM
	 * while the program stands still: no JNI, no JVM TI, no locks, no malloc. */
	void (*collection_started)(void *mode);
	void (*collection_finished)(void *mode);

	/* A class is prepared: on the thread that did it, or, for classes that were
	 * loaded before, from the live hook's thread. Live phase. */
	void (*class_prepare)(void *mode, JNIEnv *jni, jclass class);

	/* The VM has read a class file, or reads it anew after the live hook: gives
	 * other bytes to use, from malloc(). False to leave the class as it is. A mode gets
	 * what those before it have made of the class. On the thread that loads it; live
	 * phase. */
	bool (*rewrite_class)(void *mode, const uint8_t *bytes, size_t length, uint8_t **rewritten,
	                      size_t *rewritten_length);

	/* Moves what was gathered into the tables; at least ten times a second, and
	 * before each write. Under the dump lock. */
	void (*poll)(void *mode, JNIEnv *jni);

	/* Writes what a dump has before the sections of the mode and what is never
	 * provisional, since it is got by asking the VM. False when it can't be had, which
	 * has been said once. Under the dump lock. */
	bool (*dump)(void *mode, JNIEnv *jni);

	/* Writes the mode's sections. Under the dump lock. */
	void (*write)(void *mode);

	/* Starts counting anew after a dump. Under the dump lock. */
	void (*reset)(void *mode);

	/* A command of the peer of net= (binary format). True when the mode has carried it
	 * out, its records written: CONTROL SETTINGS and the flush are the agent's. Under
	 * the dump lock, after a poll; live phase, on a thread of the agent. */
	bool (*command)(void *mode, JNIEnv *jni, const struct net_command *command);

	/* No more is gathered; profiling has ended or the VM dies. Any thread. */
	void (*stop)(void *mode);

	/* The VM lives on: nothing in it leads to the mode any more after this, but for
	 * who is inside already (active_callbacks.h). After stop and the last write; classes are
	 * as they were before, as far as that was possible. */
	void (*detach)(void *mode, JNIEnv *jni);

	/* Frees the mode: everybody has left, its threads too; or it was created only,
	 * and another one could not be. */
	void (*destroy)(void *mode, JNIEnv *jni);
};

#endif
