/*
 * profile.c: faults and helpers that all modes share.
 */
#include "profile/profile.h"

#include "profile/java_threads.h"

#include <stdarg.h>
#include <stdio.h>

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

bool profile_run_thread(struct profile *profile, JNIEnv *jni, const char *name,
                        jvmtiStartFunction run, void *argument)
{
	jvmtiError error = JVMTI_ERROR_INTERNAL;
	jthread thread = new_thread_object(jni, name);

	if (thread != NULL && java_threads_hide(profile->threads, jni, thread))
		error = (*profile->jvmti)
		                ->RunAgentThread(profile->jvmti, thread, run, argument,
		                                 JVMTI_THREAD_MAX_PRIORITY);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	if (error == JVMTI_ERROR_NONE)
		return true;
	profile_fault(profile, "can't start a thread of the agent (JVM TI error %d)", (int)error);
	return false;
}
