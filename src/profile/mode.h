/*
 * mode.h: the interface between the agent and a mode, one way of profiling. The agent
 * collects what the selected modes need, enables exactly the union, and calls their
 * hooks. A new mode is a new file and one line in modes.c.
 */
#ifndef HPROF_PROFILE_MODE_H
#define HPROF_PROFILE_MODE_H

#include "profile/net_command.h"
#include "profile/profile.h"

struct java_thread;
struct mode_ops;

/* A part of a mode that has hooks of its own, such as the engine that takes its samples. */
struct mode_part {
	const struct mode_ops *hooks;
	void *state; /* their first argument */
};

enum { MODE_PARTS_MAX = 2 };

/* What a mode needs of the VM beyond thread starts and ends, VM start and death
 * and data dump requests, which the agent always asks for; and its parts. */
struct mode_needs {
	jvmtiCapabilities capabilities; /* asked for where the VM has them */
	bool class_load;                /* ClassLoad events enabled */
	bool class_prepare;             /* the class_prepare hook is called */
	bool compiled_method_load;      /* the method_compiled hook is called, if the VM can */
	bool class_file_load;           /* the rewrite_class hook is called */
	bool monitor_contention;        /* the hooks of that are called, if the VM can */
	bool monitor_waits;             /* the same */
	bool virtual_thread_end;        /* the same, with can_support_virtual_threads */
	/* the same, with that capability; virtual_ended and virtual_thread_end are called, too */
	bool virtual_mounts;
	bool object_allocation;    /* the object_allocated hook is called */
	bool vm_object_allocation; /* the vm_object_allocated hook is called, if the VM can */
	bool garbage_collection;   /* the hooks of that are called */
	struct mode_part parts[MODE_PARTS_MAX]; /* of the mode that is being created */
	size_t part_count;
};

/* For modes that rewrite classes, those that are loaded already too. */
static inline void mode_needs_rewriting(struct mode_needs *needs)
{
	needs->class_file_load = true;
	needs->capabilities.can_generate_all_class_hook_events = 1;
	needs->capabilities.can_retransform_classes = 1;
	needs->capabilities.can_retransform_any_class = 1;
}

/* Has the hooks of a part called, each after that of the mode and of the parts added before. The
 * mode creates and destroys the part, and writes what it has: hooks has none of these. */
static inline void mode_needs_part(struct mode_needs *needs, const struct mode_ops *hooks,
                                   void *state)
{
	needs->parts[needs->part_count++] = (struct mode_part){.hooks = hooks, .state = state};
}

/* All hooks may be NULL except, in a mode, create and destroy and, in mode_table, is_selected. */
struct mode_ops {
	/* Its name in messages: "CPU usage by sampling running threads"; NULL for one
	 * that writes nothing. */
	const char *title;

	bool (*is_selected)(const struct settings *settings);

	/* Before the VM is up (OnLoad phase), or in the live phase, when the agent is
	 * attached or a command starts the mode: creates the mode's state and adds what it
	 * needs to needs. NULL, with the reason printed, if the mode is unavailable. */
	void *(*create)(struct profile *profile, struct mode_needs *needs);

	/* The VM is live; on its main thread, which has had its thread_start, on the
	 * attaching thread, or on the one that carries out commands, under the dump lock. */
	void (*live)(void *mode, JNIEnv *jni);

	/* Everything is set up, main() comes next or goes on; on the same thread. */
	void (*begin)(void *mode);

	/* A thread starts or ends; on the thread itself. Starts may come before
	 * the live phase; the thread has no record yet then. */
	void (*thread_start)(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread);
	void (*thread_end)(void *mode, JNIEnv *jni, struct java_thread *thread);

	/* A virtual thread that has a record, since a mode asked for one, ends; on its carrier. */
	void (*virtual_thread_end)(void *mode, JNIEnv *jni, struct java_thread *thread);

	/* A virtual thread has been mounted on the calling thread, its carrier, or is about to be
	 * unmounted, also when it ends; the calling thread's object is the virtual one. Live
	 * phase. */
	void (*virtual_mounted)(void *mode, JNIEnv *jni, jthread object);
	void (*virtual_unmounted)(void *mode, JNIEnv *jni, jthread object);

	/* A virtual thread ends, with or without a record; after virtual_unmounted and before
	 * virtual_thread_end, on its carrier. */
	void (*virtual_ended)(void *mode, JNIEnv *jni, jthread object);

	/* A thread that started before the agent received events or the mode was started; called
	 * instead of thread_start, on the live hook's thread, after that hook. The thread
	 * keeps running, but can't end during the call. Its thread_end is called as usual. */
	void (*existing_thread)(void *mode, JNIEnv *jni, jthread object,
	                        struct java_thread *thread);

	/* A thread has to wait for a monitor that another one owns, and has got it; on
	 * the thread itself or, for a virtual thread, on its carrier. Live phase. */
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

	/* One of the VM's own native methods has allocated an object (VMObjectAlloc); on the
	 * thread that called the method. Live phase. */
	void (*vm_object_allocated)(void *mode, JNIEnv *jni, jobject object, jclass class,
	                            jlong size);

	/* A garbage collection, or a pause of one, begins or ends; on a VM thread
	 * while the program is paused: no JNI, no JVM TI, no locks, no malloc. */
	void (*collection_started)(void *mode);
	void (*collection_finished)(void *mode);

	/* A class is prepared: on the thread that did it, or, for classes that were
	 * loaded before, from the live hook's thread. Live phase. */
	void (*class_prepare)(void *mode, JNIEnv *jni, jclass class);

	/* A method has been compiled; compile_info is as in JVM TI's CompiledMethodLoad. On a
	 * thread of the VM; start or live phase, no JNI. */
	void (*method_compiled)(void *mode, const void *compile_info);

	/* The VM has read a class file, or reads it again after the live hook:
	 * returns other bytes to use, from malloc(). False to leave the class unchanged. A
	 * mode gets the bytes that the modes before it returned. On the thread that loads it; live
	 * phase. */
	bool (*rewrite_class)(void *mode, const uint8_t *bytes, size_t length, uint8_t **rewritten,
	                      size_t *rewritten_length);

	/* Moves collected data into the tables; at least ten times a second, and
	 * before each write. Under the dump lock. */
	void (*poll)(void *mode, JNIEnv *jni);

	/* Writes what a dump has before the sections of the mode. It comes from the VM, so
	 * it is never provisional. False if it is unavailable, which has been reported
	 * once. Under the dump lock. */
	bool (*dump)(void *mode, JNIEnv *jni);

	/* Writes the mode's sections. Under the dump lock. */
	void (*write)(void *mode);

	/* Resets the counts after a dump. Under the dump lock. */
	void (*reset)(void *mode);

	/* A command of the peer of net= (binary format). True when the mode has carried it
	 * out, its records written: CONTROL SETTINGS and the flush are the agent's. Under
	 * the dump lock, after a poll; live phase, on a thread of the agent. */
	bool (*command)(void *mode, JNIEnv *jni, const struct net_command *command);

	/* Stops collecting data: profiling has ended or the VM is exiting. Any thread. */
	void (*stop)(void *mode);

	/* The profile ends but the VM keeps running: removes every way from the VM into
	 * the mode. Only callbacks in flight (active_callbacks.h) may still use it. Called
	 * after stop and the last write; classes have been restored as far as possible. */
	void (*detach)(void *mode, JNIEnv *jni);

	/* Frees the mode: no callback is in flight and its threads have ended. Also called
	 * straight after create if another mode could not be created. */
	void (*destroy)(void *mode, JNIEnv *jni);
};

#endif
