/* java_threads.c: see java_threads.h, and java_thread_list.h for its lock. */
#include "vm/java_threads.h"

#include "hotspot/vm_threads.h"
#include "vm/java_thread_list.h"
#include "vm/java_thread_records.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>

struct java_threads *java_threads_create(struct profile *profile)
{
	struct java_threads *threads = calloc(1, sizeof(*threads));
	if (threads == NULL)
		return NULL;
	if (os_mutex_init(&threads->lock) != 0) {
		free(threads);
		return NULL;
	}
	threads->profile = profile;
	jvmtiPhase phase = JVMTI_PHASE_ONLOAD;
	(void)(*profile->jvmti)->GetPhase(profile->jvmti, &phase);
	threads->live = phase == JVMTI_PHASE_LIVE;
	JNIEnv *jni = NULL;
	if (threads->live &&
	    (*profile->vm)->GetEnv(profile->vm, (void **)&jni, JNI_VERSION_1_6) == JNI_OK)
		threads->virtual_class = virtual_threads_class(profile->jvmti, jni);
	return threads;
}

void java_threads_destroy(struct java_threads *threads, JNIEnv *jni)
{
	if (threads == NULL)
		return;
	for (unsigned i = 0; i < atomic_load(&threads->hidden_count); i++)
		(*jni)->DeleteGlobalRef(jni, atomic_load(&threads->hidden[i]));
	struct java_thread *thread;
	struct java_thread *next;
	DL_FOREACH_SAFE(threads->list, thread, next)
	{
		if (thread->object != NULL)
			(*jni)->DeleteWeakGlobalRef(jni, thread->object);
		free(thread);
	}
	if (threads->virtual_class != NULL)
		(*jni)->DeleteGlobalRef(jni, threads->virtual_class);
	os_mutex_destroy(&threads->lock);
	free(threads);
}

/* Readers take no lock: a reference is there before the count includes it. */
static bool add_hidden(struct java_threads *threads, jobject reference)
{
	os_mutex_lock(&threads->lock);
	unsigned at = threads->hidden_count;
	bool has_room = at < HIDDEN_THREADS_MAX;
	if (has_room) {
		threads->hidden[at] = reference;
		threads->hidden_count = at + 1;
	}
	os_mutex_unlock(&threads->lock);
	return has_room;
}

bool java_threads_hide(struct java_threads *threads, JNIEnv *jni, jthread thread)
{
	jobject reference = (*jni)->NewGlobalRef(jni, thread);

	if (reference == NULL || add_hidden(threads, reference))
		return reference != NULL;
	(*jni)->DeleteGlobalRef(jni, reference);
	return false;
}

bool java_threads_is_hidden(struct java_threads *threads, JNIEnv *jni, jthread thread)
{
	unsigned count = atomic_load(&threads->hidden_count);
	for (unsigned i = 0; i < count; i++) {
		if ((*jni)->IsSameObject(jni, atomic_load(&threads->hidden[i]), thread))
			return true;
	}
	return false;
}

/* Stores in *live whether the VM is live: if not, java_threads_live() will complete the
 * record. */
static bool publish(struct java_threads *threads, struct java_thread *thread, bool *live)
{
	os_mutex_lock(&threads->lock);
	*live = threads->live;
	bool bound = java_threads_bind(threads, NULL, thread);
	os_mutex_unlock(&threads->lock);
	return bound;
}

struct java_thread *java_threads_start(struct java_threads *threads, JNIEnv *jni, jthread thread)
{
	if (java_threads_current(threads) != NULL || java_threads_is_hidden(threads, jni, thread))
		return NULL;

	struct java_thread *started = calloc(1, sizeof(*started));
	if (started == NULL) {
		profile_out_of_memory(threads->profile);
		return NULL;
	}
	started->id = os_self_thread();
	started->jni = jni;
	atomic_store(&started->is_notifying, true);
	started->serial = thread_table_next_serial(threads->profile->model.threads);
	bool live;
	if (!publish(threads, started, &live)) {
		free(started); /* found by another thread in the meantime */
		return NULL;
	}
	if (live)
		java_threads_complete(threads, jni, thread, started);
	return started;
}

void java_threads_live(struct java_threads *threads, JNIEnv *jni)
{
	struct profile *profile = threads->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread *list = NULL;

	threads->virtual_class = virtual_threads_class(jvmti, jni);
	os_mutex_lock(&threads->lock);
	threads->live = true;
	if ((*jvmti)->GetAllThreads(jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		void *early = NULL;
		(void)(*jvmti)->GetThreadLocalStorage(jvmti, list[i], &early);
		struct java_thread *thread = early;
		if (thread != NULL && thread != &threads->ended && thread->record == NULL)
			java_threads_complete(threads, jni, list[i], thread);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	os_mutex_unlock(&threads->lock);
	profile_deallocate(profile, list);
}

struct java_thread *java_threads_current(struct java_threads *threads)
{
	struct java_thread *thread = java_threads_stored(threads, NULL);
	return thread == &threads->ended ? NULL : thread;
}

struct java_thread *java_threads_mark_ending(struct java_threads *threads)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;

	os_mutex_lock(&threads->lock);
	struct java_thread *thread = java_threads_stored(threads, NULL);
	if (thread == NULL)
		(void)(*jvmti)->SetThreadLocalStorage(jvmti, NULL, &threads->ended);
	else if (thread != &threads->ended)
		thread->leaving = true;
	os_mutex_unlock(&threads->lock);
	if (thread == NULL || thread == &threads->ended)
		return NULL;
	while (atomic_load(&thread->is_notifying))
		os_sleep_until(os_monotonic_ns() + NOTIFYING_CHECK_NS);
	return thread;
}

void java_threads_end(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread)
{
	struct profile *profile = threads->profile;

	/* A dump of monitors may still ask for a virtual thread. With vthreads=y samples do so too
	 * often: it would get a second THREAD START. */
	bool may_return = thread->is_virtual && !profile->settings->virtual_threads;
	(void)(*profile->jvmti)
	        ->SetThreadLocalStorage(profile->jvmti, NULL, may_return ? NULL : &threads->ended);
	os_mutex_lock(&threads->lock);
	DL_DELETE(threads->list, thread);
	os_mutex_unlock(&threads->lock);
	java_threads_drop(threads, jni, thread);
}
