/*
 * monitor_threads.c: see monitor_threads.h.
 */
#include "monitor/monitor_threads.h"

#include "vm/java_thread_serials.h"

#include <stdlib.h>
#include <utlist.h>

struct monitor_threads {
	struct profile *profile;
	struct os_mutex lock;
	struct monitor_thread *list;
	size_t count;
};

struct monitor_threads *monitor_threads_create(struct profile *profile)
{
	struct monitor_threads *threads = calloc(1, sizeof(*threads));
	if (threads == NULL)
		return NULL;
	if (os_mutex_init(&threads->lock) != 0) {
		free(threads);
		return NULL;
	}
	threads->profile = profile;
	return threads;
}

void monitor_threads_destroy(struct monitor_threads *threads)
{
	struct monitor_thread *thread;
	struct monitor_thread *next;

	if (threads == NULL)
		return;
	DL_FOREACH_SAFE(threads->list, thread, next)
	{
		os_mutex_destroy(&thread->lock);
		free(thread);
	}
	os_mutex_destroy(&threads->lock);
	free(threads);
}

static struct monitor_thread *add(struct monitor_threads *threads, JNIEnv *jni, jthread object,
                                  struct java_thread *java_thread)
{
	struct monitor_thread *thread = calloc(1, sizeof(*thread));

	if (thread == NULL || os_mutex_init(&thread->lock) != 0) {
		free(thread);
		profile_out_of_memory(threads->profile);
		return NULL;
	}
	thread->serial = java_thread->serial;
	if (java_thread->is_virtual)
		thread->object = (*jni)->NewWeakGlobalRef(jni, object);
	java_thread->monitoring = thread;
	os_mutex_lock(&threads->lock);
	DL_APPEND(threads->list, thread);
	threads->count++;
	os_mutex_unlock(&threads->lock);
	return thread;
}

struct monitor_thread *monitor_threads_register(struct monitor_threads *threads, JNIEnv *jni,
                                                jthread object)
{
	struct java_thread *java_thread =
	        java_threads_find_or_add(threads->profile->threads, jni, object);

	if (java_thread == NULL || java_thread->record == NULL)
		return NULL;
	if (java_thread->monitoring != NULL)
		return java_thread->monitoring;
	return add(threads, jni, object, java_thread);
}

struct monitor_thread *monitor_threads_current(struct monitor_threads *threads)
{
	const struct java_thread *java_thread = java_threads_current(threads->profile->threads);
	return java_thread == NULL ? NULL : java_thread->monitoring;
}

void monitor_thread_set_waits_for(struct monitor_thread *thread, JNIEnv *jni, jobject monitor)
{
	jobject waits_for = monitor == NULL ? NULL : (*jni)->NewGlobalRef(jni, monitor);

	os_mutex_lock(&thread->lock);
	jobject before = thread->waits_for;
	thread->waits_for = waits_for;
	os_mutex_unlock(&thread->lock);
	if (before != NULL)
		(*jni)->DeleteGlobalRef(jni, before);
}

void monitor_threads_end(struct monitor_threads *threads, JNIEnv *jni,
                         struct java_thread *java_thread)
{
	struct monitor_thread *thread = java_thread->monitoring;

	if (thread == NULL)
		return;
	java_thread->monitoring = NULL;
	os_mutex_lock(&threads->lock);
	DL_DELETE(threads->list, thread);
	threads->count--;
	os_mutex_unlock(&threads->lock);
	monitor_thread_set_waits_for(thread, jni, NULL);
	if (thread->object != NULL)
		(*jni)->DeleteWeakGlobalRef(jni, thread->object);
	os_mutex_destroy(&thread->lock);
	free(thread);
}

void monitor_threads_release(struct monitor_threads *threads, JNIEnv *jni)
{
	struct monitor_thread *thread;

	DL_FOREACH(threads->list, thread)
	{
		monitor_thread_set_waits_for(thread, jni, NULL);
		if (thread->object != NULL)
			(*jni)->DeleteWeakGlobalRef(jni, thread->object);
		thread->object = NULL;
	}
}

struct monitor_thread_view *monitor_threads_view(struct monitor_threads *threads, JNIEnv *jni,
                                                 size_t *count)
{
	struct monitor_thread *thread;
	size_t filled = 0;

	os_mutex_lock(&threads->lock);
	struct monitor_thread_view *views = calloc(threads->count + 1, sizeof(*views));
	if (views != NULL) {
		DL_FOREACH(threads->list, thread)
		{
			struct monitor_thread_view *view = &views[filled++];
			view->serial = thread->serial;
			if (thread->object != NULL)
				view->object = (*jni)->NewLocalRef(jni, thread->object);
			os_mutex_lock(&thread->lock);
			if (thread->waits_for != NULL)
				view->waits_for = (*jni)->NewLocalRef(jni, thread->waits_for);
			os_mutex_unlock(&thread->lock);
		}
	}
	os_mutex_unlock(&threads->lock);
	*count = filled;
	return views;
}
