/*
 * profile.h: state shared by all modes of a run. agent/start.c fills it, at load or at an attach,
 * passes it to the modes and frees it; there is no global pointer to it.
 */
#ifndef HPROF_PROFILE_PROFILE_H
#define HPROF_PROFILE_PROFILE_H

#include "base/messages.h"
#include "base/progress.h"
#include "model/model.h"
#include "options/settings.h"
#include "os/os.h"
#include "output/record_writer.h"
#include "profile/control_settings.h"

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>

struct class_registry;
struct frame_resolver;
struct alloc;
struct java_threads;

struct profile {
	JavaVM *vm;
	jvmtiEnv *jvmti;
	const struct settings *settings;
	const char *output_name; /* for messages */
	struct model model;
	struct record_writer *writer;
	struct java_threads *threads;
	struct class_registry *classes;
	struct frame_resolver *resolver;
	struct alloc *alloc; /* NULL when no allocations are counted */

	struct control_settings control;

	/* Progress of the current dump; under the dump lock. */
	struct progress progress;

	/* Serialises everything that moves collected data to the output: polls, dumps,
	 * the end. Never locked in a garbage collection callback. */
	struct os_mutex dump_lock;

	/* Wakes the agent thread early. Signal-safe. */
	struct os_event wake;

	/* The number of running agent threads (agent_thread.h). */
	_Atomic unsigned agent_threads;

	/* Set, and never cleared, when profiling has failed or the VM has ended. */
	_Atomic bool stopped;
};

/* Fails the profile after an error in the agent: the first call prints the reason and
 * ends profiling; the program keeps running. Any thread that may do I/O, not a signal handler. */
void profile_fail(struct profile *profile, const char *format, ...) MESSAGE_PRINTF(2, 3);

/* profile_fail() with the reason "out of memory". */
void profile_out_of_memory(struct profile *profile);

/* Writes a NOTE line of text output; nothing in other formats. The text should end in ")":
 * some readers take lines between traces for frames. Any thread. */
void profile_note(struct profile *profile, const char *format, ...) MESSAGE_PRINTF(2, 3);

/* Reports a failure of the writer; error 0 is none. */
void profile_check_output(struct profile *profile, int error);

static inline bool profile_is_stopped(struct profile *profile)
{
	return atomic_load_explicit(&profile->stopped, memory_order_acquire);
}

/* Frees memory that JVM TI allocated; NULL is fine. */
void profile_deallocate(struct profile *profile, void *memory);

/* Called for each loaded class. The local reference is valid during the call only. */
typedef void profile_class_visit(void *argument, JNIEnv *jni, jclass class);

/* Visits all loaded classes, prepared or not; none if out of memory. Live
 * phase. */
void profile_each_class(struct profile *profile, JNIEnv *jni, profile_class_visit *visit,
                        void *argument);

/* Sets or clears flags of records.h in the control settings. Any thread. */
void profile_control_set(struct profile *profile, uint32_t flags, bool on);

/* Sets the depth of new traces in the control settings. Any thread. */
void profile_control_depth(struct profile *profile, uint32_t depth);

/* Writes CONTROL SETTINGS. Any thread. */
void profile_control_write(struct profile *profile);

#endif
