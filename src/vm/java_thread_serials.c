/* java_thread_serials.c: see java_thread_serials.h. */
#include "vm/java_thread_serials.h"

#include "vm/java_thread_list.h"
#include "vm/java_thread_records.h"
#include "vm/java_threads.h"

#include <stdlib.h>
#include <string.h>

/* Makes the java_thread of a virtual thread, with that serial. Holds the lock. */
static struct java_thread *add_virtual(struct java_threads *threads, JNIEnv *jni, jthread object,
                                       uint32_t serial)
{
	struct profile *profile = threads->profile;
	struct java_thread *thread = calloc(1, sizeof(*thread));

	if (thread == NULL) {
		profile_out_of_memory(profile);
		return NULL;
	}
	/* One that has ended takes none. */
	if ((*profile->jvmti)->SetThreadLocalStorage(profile->jvmti, object, thread) !=
	    JVMTI_ERROR_NONE) {
		free(thread);
		return NULL;
	}
	thread->is_virtual = true;
	thread->serial = serial;
	DL_APPEND(threads->list, thread);
	java_threads_complete(threads, jni, object, thread);
	return thread;
}

/* A thread that is being attached has no object yet, and NULL is an instance of any class. */
static bool is_virtual(const struct java_threads *threads, JNIEnv *jni, jthread object)
{
	return threads->virtual_class != NULL && object != NULL &&
	       (*jni)->IsInstanceOf(jni, object, threads->virtual_class);
}

/* Finds any thread. Holds the lock. */
static struct java_thread *find_locked(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	void *found = NULL;

	if ((*jvmti)->GetThreadLocalStorage(jvmti, object, &found) != JVMTI_ERROR_NONE ||
	    found == &threads->ended)
		return NULL;
	if (found == NULL && is_virtual(threads, jni, object))
		return add_virtual(threads, jni, object,
		                   thread_table_next_serial(threads->profile->model.threads));
	return found;
}

struct java_thread *java_threads_find_or_add(struct java_threads *threads, JNIEnv *jni,
                                             jthread object)
{
	struct java_thread *thread = java_threads_current(threads);

	if (thread != NULL || !is_virtual(threads, jni, object))
		return thread;
	os_mutex_lock(&threads->lock);
	thread = find_locked(threads, jni, object);
	os_mutex_unlock(&threads->lock);
	return thread;
}

uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	os_mutex_lock(&threads->lock);
	struct java_thread *thread = find_locked(threads, jni, object);
	if (thread != NULL && thread->is_virtual && thread->object == NULL)
		thread->object = (*jni)->NewWeakGlobalRef(jni, object);
	/* Without a record the output knows nothing of it. */
	uint32_t serial = thread != NULL && thread->record != NULL ? thread->serial : 0;
	os_mutex_unlock(&threads->lock);
	return serial;
}

uint32_t java_threads_add_mounted(struct java_threads *threads, JNIEnv *jni, jthread object,
                                  const struct mounted_serial *mounted, uint32_t serial)
{
	uint32_t known = serial;

	os_mutex_lock(&threads->lock);
	if (mounted_serial_is_new(mounted, serial)) {
		struct java_thread *thread = java_threads_stored(threads, object);
		if (thread == NULL)
			thread = add_virtual(threads, jni, object, serial);
		known = thread != NULL && thread->record != NULL ? thread->serial : 0;
	}
	os_mutex_unlock(&threads->lock);
	return known;
}

static bool is_carrier_field(struct java_threads *threads, jclass class, jfieldID field)
{
	struct profile *profile = threads->profile;
	char *name = NULL;

	if ((*profile->jvmti)->GetFieldName(profile->jvmti, class, field, &name, NULL, NULL) !=
	    JVMTI_ERROR_NONE)
		return false;
	bool is_it = strcmp(name, "carrierThread") == 0;
	profile_deallocate(profile, name);
	return is_it;
}

/* By JVM TI: when JNI does not find a field it allocates an exception, and this is called for
 * allocations. NULL also for a virtual thread that is its own carrier. */
static jfieldID find_carrier_field(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	struct profile *profile = threads->profile;
	jclass class = (*jni)->GetObjectClass(jni, object);
	jfieldID *fields = NULL;
	jfieldID found = NULL;
	jint count = 0;

	(void)(*profile->jvmti)->GetClassFields(profile->jvmti, class, &count, &fields);
	for (jint i = 0; i < count && found == NULL; i++) {
		if (is_carrier_field(threads, class, fields[i]))
			found = fields[i];
	}
	profile_deallocate(profile, fields);
	(*jni)->DeleteLocalRef(jni, class);
	return found;
}

/* The carrier of a mounted virtual thread: a local reference, or NULL. Read from the field: the
 * VM's function requires a capability that slows down all mounts. */
static jthread find_carrier(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	jfieldID field = atomic_load_explicit(&threads->carrier_field, memory_order_acquire);

	if (field == NULL && !atomic_load(&threads->lacks_carrier_field)) {
		field = find_carrier_field(threads, jni, object);
		atomic_store_explicit(&threads->carrier_field, field, memory_order_release);
		atomic_store(&threads->lacks_carrier_field, field == NULL);
	}
	return field == NULL ? NULL : (*jni)->GetObjectField(jni, object, field);
}

/* What names a virtual thread, the calling one, that has no java_thread, is past its end event, or
 * is not to be named itself. NULL if nothing does. */
static struct java_thread *find_namer(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	if (threads->profile->settings->virtual_threads &&
	    java_threads_stored(threads, NULL) != &threads->ended)
		return java_threads_find_or_add(threads, jni, object);
	jthread carrier = find_carrier(threads, jni, object);
	if (carrier == NULL)
		return NULL;
	struct java_thread *thread = java_threads_stored(threads, carrier);
	(*jni)->DeleteLocalRef(jni, carrier);
	return thread;
}

uint32_t java_threads_current_serial(struct java_threads *threads, JNIEnv *jni)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	struct java_thread *thread = java_threads_stored(threads, NULL);
	bool is_sure = thread != NULL && thread != &threads->ended &&
	               (!thread->is_virtual || threads->profile->settings->virtual_threads);
	jthread object = NULL;

	if (!is_sure && threads->virtual_class != NULL &&
	    (*jvmti)->GetCurrentThread(jvmti, &object) == JVMTI_ERROR_NONE) {
		if (is_virtual(threads, jni, object))
			thread = find_namer(threads, jni, object);
		(*jni)->DeleteLocalRef(jni, object);
	}
	return thread == NULL || thread == &threads->ended ? 0 : thread->serial;
}

uint32_t java_threads_serial_by_object_id(struct java_threads *threads, uint64_t object_id)
{
	struct java_thread *thread;
	uint32_t serial = 0;

	os_mutex_lock(&threads->lock);
	DL_FOREACH(threads->list, thread)
	{
		if (thread->record != NULL && thread->record->object_id == object_id)
			serial = thread->serial;
	}
	os_mutex_unlock(&threads->lock);
	return serial;
}

static bool has_ended(struct java_threads *threads, JNIEnv *jni, const struct java_thread *thread)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	jint state = 0;
	jobject object = (*jni)->NewLocalRef(jni, thread->object);

	if (object == NULL)
		return true;
	bool ended = (*jvmti)->GetThreadState(jvmti, object, &state) == JVMTI_ERROR_NONE &&
	             (state & JVMTI_THREAD_STATE_TERMINATED) != 0;
	(*jni)->DeleteLocalRef(jni, object);
	return ended;
}

void java_threads_sweep(struct java_threads *threads, JNIEnv *jni)
{
	struct java_thread *thread;
	struct java_thread *next;

	os_mutex_lock(&threads->lock);
	DL_FOREACH_SAFE(threads->list, thread, next)
	{
		/* The VM reports a thread as ended once its last callback has returned. */
		if (thread->object == NULL || thread->monitoring != NULL ||
		    !has_ended(threads, jni, thread))
			continue;
		DL_DELETE(threads->list, thread);
		java_threads_drop(threads, jni, thread);
	}
	os_mutex_unlock(&threads->lock);
}
