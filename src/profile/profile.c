/*
 * profile.c: faults and helpers that all modes share.
 */
#include "profile/profile.h"

#include "profile/java_threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void profile_fault(struct profile *profile, const char *format, ...)
{
	if (atomic_exchange(&profile->stopped, true))
		return;

	char reason[1024];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	message_print("%s; profiling has ended, the program runs on", reason);
	os_event_signal(&profile->wake);
}

void profile_out_of_memory(struct profile *profile)
{
	profile_fault(profile, "out of memory");
}

void profile_check_output(struct profile *profile, int error)
{
	if (error == 0)
		return;
	char text[OS_ERROR_TEXT_MAX];
	os_error_text(error, text, sizeof(text));
	profile_fault(profile, "can't write %s: %s", profile->output_name, text);
}

void profile_deallocate(struct profile *profile, void *memory)
{
	if (memory != NULL)
		(void)(*profile->jvmti)->Deallocate(profile->jvmti, memory);
}

void profile_each_class(struct profile *profile, JNIEnv *jni, profile_class_visit *visit,
                        void *argument)
{
	enum { CLASSES_MAX = 65536 };
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jclass *classes = NULL;

	if ((*jni)->PushLocalFrame(jni, CLASSES_MAX) != JNI_OK) {
		(*jni)->ExceptionClear(jni);
		return;
	}
	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++)
			visit(argument, jni, classes[i]);
		profile_deallocate(profile, classes);
	}
	(void)(*jni)->PopLocalFrame(jni, NULL);
}

/* A Thread object with the given name, made without running its program's code
 * but the constructor; a local reference. */
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

/* What a thread of the agent's own runs. */
struct own_thread {
	struct profile *profile;
	jvmtiStartFunction run;
	void *argument;
};

static void JNICALL run_own_thread(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct own_thread own = *(struct own_thread *)argument;

	free(argument);
	own.run(jvmti, jni, own.argument);
	/* The profile may be gone after this. */
	atomic_fetch_sub(&own.profile->own_threads, 1);
}

static jvmtiError start_thread(struct profile *profile, jthread thread, jvmtiStartFunction run,
                               void *argument)
{
	jvmtiEnv *jvmti = profile->jvmti;
	struct own_thread *own = malloc(sizeof(*own));
	if (own == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*own = (struct own_thread){.profile = profile, .run = run, .argument = argument};
	atomic_fetch_add(&profile->own_threads, 1);
	jvmtiError error = (*jvmti)->RunAgentThread(jvmti, thread, run_own_thread, own,
	                                            JVMTI_THREAD_MAX_PRIORITY);
	if (error != JVMTI_ERROR_NONE) {
		atomic_fetch_sub(&profile->own_threads, 1);
		free(own);
	}
	return error;
}

bool profile_run_thread(struct profile *profile, JNIEnv *jni, const char *name,
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
	profile_fault(profile, "can't start a thread of the agent (JVM TI error %d)", (int)error);
	return false;
}

bool profile_join_threads(struct profile *profile, uint32_t timeout_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + (uint64_t)timeout_ms * 1000000;

	while (atomic_load(&profile->own_threads) > 0) {
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= deadline_ns)
			return false;
		os_event_signal(&profile->wake);
		os_sleep_until(now_ns + 1000000);
	}
	return true;
}
