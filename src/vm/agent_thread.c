/*
 * agent_thread.c: see agent_thread.h. No lock: the count of the threads is atomic.
 */
#include "vm/agent_thread.h"

#include "os/time_units.h"
#include "vm/java_threads.h"

#include <stdlib.h>

/* A new Thread object with the given name, a local reference. Of the program's code only
 * the constructor runs. */
static jthread new_thread_object(JNIEnv *jni, const char *name)
{
	jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
	if (class == NULL)
		return NULL;
	jmethodID constructor = (*jni)->GetMethodID(jni, class, "<init>", "(Ljava/lang/String;)V");
	jstring name_string = (*jni)->NewStringUTF(jni, name);
	if (constructor == NULL || name_string == NULL)
		return NULL;
	return (*jni)->NewObject(jni, class, constructor, name_string);
}

/* What an agent thread runs. */
struct agent_thread {
	struct profile *profile;
	jvmtiStartFunction run;
	void *argument;
};

static void JNICALL run_agent_thread(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct agent_thread thread = *(struct agent_thread *)argument;

	free(argument);
	thread.run(jvmti, jni, thread.argument);
	/* The profile may be gone after this. */
	atomic_fetch_sub(&thread.profile->agent_threads, 1);
}

static jvmtiError start_thread(struct profile *profile, jthread thread, jvmtiStartFunction run,
                               void *argument)
{
	jvmtiEnv *jvmti = profile->jvmti;
	struct agent_thread *started = malloc(sizeof(*started));
	if (started == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*started = (struct agent_thread){.profile = profile, .run = run, .argument = argument};
	atomic_fetch_add(&profile->agent_threads, 1);
	jvmtiError error = (*jvmti)->RunAgentThread(jvmti, thread, run_agent_thread, started,
	                                            JVMTI_THREAD_MAX_PRIORITY);
	if (error != JVMTI_ERROR_NONE) {
		atomic_fetch_sub(&profile->agent_threads, 1);
		free(started);
	}
	return error;
}

bool agent_thread_start(struct profile *profile, JNIEnv *jni, const char *name,
                        jvmtiStartFunction run, void *argument)
{
	jvmtiError error = JVMTI_ERROR_INTERNAL;
	jthread thread = new_thread_object(jni, name);

	if (thread != NULL && java_threads_hide(profile->threads, jni, thread))
		error = start_thread(profile, thread, run, argument);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	if (error == JVMTI_ERROR_NONE)
		return true;
	profile_fail(profile, "can't start a thread of the agent (JVM TI error %d)", (int)error);
	return false;
}

bool agent_threads_join(struct profile *profile, uint32_t timeout_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + timeout_ms * NS_PER_MS;

	while (atomic_load(&profile->agent_threads) > 0) {
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= deadline_ns)
			return false;
		os_event_signal(&profile->wake);
		os_sleep_until(now_ns + NS_PER_MS);
	}
	return true;
}
