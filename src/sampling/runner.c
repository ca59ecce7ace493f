/*
 * runner.c: see runner.h.
 */
#include "sampling/runner.h"

#include "vm/java_thread_serials.h"

jthread runner_of(struct profile *profile, virtual_thread_of *find, jthread thread)
{
	jthread virtual_thread = NULL;

	if (find == NULL || find(profile->jvmti, thread, &virtual_thread) != JVMTI_ERROR_NONE ||
	    virtual_thread == NULL)
		return thread;
	return virtual_thread;
}

uint32_t runner_serial(struct profile *profile, JNIEnv *jni, jthread thread, jthread runner,
                       bool virtual_threads, uint32_t own_serial)
{
	uint32_t serial = 0;

	if (runner != thread && virtual_threads)
		serial = java_threads_serial(profile->threads, jni, runner);
	return serial != 0 ? serial : own_serial;
}
