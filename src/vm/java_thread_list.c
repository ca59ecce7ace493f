/* java_thread_list.c: see java_thread_list.h. */
#include "vm/java_thread_list.h"

struct java_thread *java_threads_stored(struct java_threads *threads, jthread object)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	void *thread = NULL;

	if ((*jvmti)->GetThreadLocalStorage(jvmti, object, &thread) != JVMTI_ERROR_NONE)
		return NULL;
	return thread;
}

bool java_threads_bind(struct java_threads *threads, jthread object, struct java_thread *thread)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;

	if (java_threads_stored(threads, object) != NULL ||
	    (*jvmti)->SetThreadLocalStorage(jvmti, object, thread) != JVMTI_ERROR_NONE)
		return false;
	DL_APPEND(threads->list, thread);
	return true;
}
