/* java_thread_visits.c: see java_thread_visits.h. */
#include "vm/java_thread_visits.h"

#include "hotspot/vm_threads.h"
#include "os/time_units.h"
#include "vm/java_thread_list.h"
#include "vm/java_thread_records.h"
#include "vm/java_threads.h"

#include <stdlib.h>

/* How long to wait, in all, for threads that modes are being notified of. */
#define WAIT_MAX_NS (2 * NS_PER_SECOND)

/* What has come of a thread that the VM lists. */
enum addition { ADDED, KNOWN, NOT_DESCRIBED };

/* A thread that waits for the lock in its ThreadEnd event exists until it gets it. */
static enum addition add_locked(struct java_threads *threads, const struct vm_threads *vm,
                                JNIEnv *jni, jthread object, struct java_thread *thread)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	struct vm_thread look = {0};
	jint state = 0;

	if (java_threads_stored(threads, object) != NULL ||
	    (*jvmti)->GetThreadState(jvmti, object, &state) != JVMTI_ERROR_NONE ||
	    (state & JVMTI_THREAD_STATE_ALIVE) == 0)
		return KNOWN;
	if (!vm_threads_look(vm, jni, object, &look))
		return NOT_DESCRIBED;
	thread->serial = thread_table_next_serial(threads->profile->model.threads);
	thread->id = look.id;
	thread->jni = look.jni;
	thread->vm_address = look.address;
	return java_threads_bind(threads, object, thread) ? ADDED : KNOWN;
}

static enum addition add_one(struct java_threads *threads, const struct vm_threads *vm, JNIEnv *jni,
                             jthread object, struct java_thread **added)
{
	struct java_thread *thread = calloc(1, sizeof(*thread));
	if (thread == NULL) {
		profile_out_of_memory(threads->profile);
		return KNOWN;
	}
	atomic_store(&thread->is_notifying, true);
	os_mutex_lock(&threads->lock);
	enum addition addition = add_locked(threads, vm, jni, object, thread);
	os_mutex_unlock(&threads->lock);
	if (addition == ADDED)
		*added = thread;
	else
		free(thread);
	return addition;
}

size_t java_threads_add_existing(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *notify, void *argument)
{
	struct profile *profile = threads->profile;
	struct vm_threads vm;
	jint count = 0;
	jthread *list = NULL;
	size_t skipped = 0;

	vm_threads_find(&vm, profile->jvmti, jni);
	(void)(*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &list);
	for (jint i = 0; i < count; i++) {
		struct java_thread *thread = NULL;
		enum addition addition = java_threads_is_hidden(threads, jni, list[i])
		                                 ? KNOWN
		                                 : add_one(threads, &vm, jni, list[i], &thread);
		if (addition == ADDED) {
			java_threads_complete(threads, jni, list[i], thread);
			notify(argument, jni, list[i], thread);
			atomic_store(&thread->is_notifying, false);
		}
		skipped += addition == NOT_DESCRIBED;
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	profile_deallocate(profile, list);
	return skipped;
}

/* The thread, which then can't end; NULL if it is unknown or already ending. *busy: another
 * thread is notifying the modes of it. */
static struct java_thread *hold_known(struct java_threads *threads, jthread object, bool *busy)
{
	os_mutex_lock(&threads->lock);
	struct java_thread *thread = java_threads_stored(threads, object);
	if (thread == &threads->ended ||
	    (thread != NULL && (thread->is_virtual || thread->leaving)))
		thread = NULL;
	*busy = thread != NULL && atomic_exchange(&thread->is_notifying, true);
	os_mutex_unlock(&threads->lock);
	return *busy ? NULL : thread;
}

size_t java_threads_notify_known(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *notify, void *argument)
{
	struct profile *profile = threads->profile;
	uint64_t deadline_ns = os_monotonic_ns() + WAIT_MAX_NS;
	jint count = 0;
	jthread *list = NULL;
	size_t skipped = 0;

	(void)(*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &list);
	for (jint i = 0; i < count; i++) {
		bool busy;
		struct java_thread *thread = hold_known(threads, list[i], &busy);
		while (busy && os_monotonic_ns() < deadline_ns) {
			os_sleep_until(os_monotonic_ns() + NOTIFYING_CHECK_NS);
			thread = hold_known(threads, list[i], &busy);
		}
		skipped += busy;
		if (thread != NULL) {
			notify(argument, jni, list[i], thread);
			atomic_store(&thread->is_notifying, false);
		}
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	profile_deallocate(profile, list);
	return skipped;
}

void java_threads_visit(struct java_threads *threads, JNIEnv *jni,
                        void (*visit)(void *context, JNIEnv *jni, jthread object,
                                      const struct java_thread *thread),
                        void *context)
{
	struct profile *profile = threads->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread *list = NULL;

	os_mutex_lock(&threads->lock);
	if ((*jvmti)->GetAllThreads(jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		void *known = NULL;
		(void)(*jvmti)->GetThreadLocalStorage(jvmti, list[i], &known);
		const struct java_thread *thread = known;
		if (thread != NULL && thread->record != NULL)
			visit(context, jni, list[i], thread);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	os_mutex_unlock(&threads->lock);
	profile_deallocate(profile, list);
}

void java_threads_visit_known(struct java_threads *threads,
                              void (*visit)(void *context, const struct java_thread *thread),
                              void *context)
{
	const struct java_thread *thread;

	os_mutex_lock(&threads->lock);
	DL_FOREACH(threads->list, thread)
	{
		if (thread->record != NULL)
			visit(context, thread);
	}
	os_mutex_unlock(&threads->lock);
}

void java_threads_visit_unlisted(struct java_threads *threads, JNIEnv *jni,
                                 void (*visit)(void *context, JNIEnv *jni, jthread object),
                                 void *context)
{
	struct profile *profile = threads->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread *list = NULL;

	/* The VM does not list threads of agents. */
	for (unsigned i = 0; i < atomic_load(&threads->hidden_count); i++)
		visit(context, jni, atomic_load(&threads->hidden[i]));
	if ((*jvmti)->GetAllThreads(jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		const struct java_thread *thread = java_threads_stored(threads, list[i]);
		if ((thread == NULL || thread == &threads->ended) &&
		    !java_threads_is_hidden(threads, jni, list[i]))
			visit(context, jni, list[i]);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	profile_deallocate(profile, list);
}
