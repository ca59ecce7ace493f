/* java_thread_records.c: see java_thread_records.h. */
#include "vm/java_thread_records.h"

#include "vm/java_thread_list.h"

#include <stdlib.h>

/* The names of a thread, as JVM TI gives them; all may be NULL. */
struct thread_names {
	char *name;
	char *group;
	char *parent_group;
};

static void get_group_names(struct profile *profile, JNIEnv *jni, jthreadGroup group,
                            struct thread_names *names)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jvmtiThreadGroupInfo info = {0};
	jvmtiThreadGroupInfo parent_info = {0};

	if (group == NULL || (*jvmti)->GetThreadGroupInfo(jvmti, group, &info) != JVMTI_ERROR_NONE)
		return;
	names->group = info.name;
	if (info.parent == NULL)
		return;
	if ((*jvmti)->GetThreadGroupInfo(jvmti, info.parent, &parent_info) == JVMTI_ERROR_NONE) {
		names->parent_group = parent_info.name;
		if (parent_info.parent != NULL)
			(*jni)->DeleteLocalRef(jni, parent_info.parent);
	}
	(*jni)->DeleteLocalRef(jni, info.parent);
}

static void get_names(struct profile *profile, JNIEnv *jni, jthread thread,
                      struct thread_names *names)
{
	jvmtiThreadInfo info = {0};
	if ((*profile->jvmti)->GetThreadInfo(profile->jvmti, thread, &info) != JVMTI_ERROR_NONE)
		return;
	names->name = info.name;
	get_group_names(profile, jni, info.thread_group, names);
	if (info.thread_group != NULL)
		(*jni)->DeleteLocalRef(jni, info.thread_group);
	if (info.context_class_loader != NULL)
		(*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

/* The field of java.lang.Thread, not one of that name in a class below it. NULL when there
 * is none. */
static jfieldID find_tid_field(JNIEnv *jni, jthread object)
{
	jclass class = (*jni)->GetObjectClass(jni, object);
	jclass super;
	jfieldID field = NULL;

	while ((super = (*jni)->GetSuperclass(jni, class)) != NULL) {
		jclass above = (*jni)->GetSuperclass(jni, super);
		bool is_thread_class = above == NULL; /* super is java.lang.Object */
		if (is_thread_class)
			field = (*jni)->GetFieldID(jni, class, "tid", "J");
		(*jni)->DeleteLocalRef(jni, above);
		(*jni)->DeleteLocalRef(jni, class);
		class = super;
	}
	(*jni)->DeleteLocalRef(jni, class);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	return field;
}

uint64_t java_threads_tid(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	jfieldID field = atomic_load_explicit(&threads->tid_field, memory_order_acquire);

	if (field == NULL) {
		field = find_tid_field(jni, object);
		atomic_store_explicit(&threads->tid_field, field, memory_order_release);
	}
	return field == NULL ? 0 : (uint64_t)(*jni)->GetLongField(jni, object, field);
}

struct thread_record *java_threads_record(struct java_threads *threads, JNIEnv *jni, jthread object,
                                          uint32_t serial, uint64_t tid)
{
	struct profile *profile = threads->profile;
	struct thread_names names = {NULL, NULL, NULL};

	if (object != NULL)
		get_names(profile, jni, object, &names);
	struct thread_record *record = thread_table_add(
	        profile->model.threads, serial, tid, names.name, names.group, names.parent_group);
	profile_deallocate(profile, names.name);
	profile_deallocate(profile, names.group);
	profile_deallocate(profile, names.parent_group);
	if (record == NULL)
		profile_out_of_memory(profile);
	else
		writer_thread_start(profile->writer, record);
	return record;
}

void java_threads_complete(struct java_threads *threads, JNIEnv *jni, jthread object,
                           struct java_thread *thread)
{
	if (settings_dump_heap(threads->profile->settings))
		thread->tid = java_threads_tid(threads, jni, object);
	/* A thread that finds the record may refer to the thread in the output. */
	thread->record = java_threads_record(threads, jni, object, thread->serial, thread->tid);
}

void java_threads_drop(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread)
{
	struct profile *profile = threads->profile;

	if (thread->record != NULL) {
		writer_thread_end(profile->writer, thread->record);
		thread_table_remove(profile->model.threads, thread->record);
	}
	if (thread->object != NULL)
		(*jni)->DeleteWeakGlobalRef(jni, thread->object);
	free(thread);
}

void java_threads_update_name(struct java_threads *threads, JNIEnv *jni, jthread object,
                              struct java_thread *thread)
{
	struct profile *profile = threads->profile;
	jvmtiThreadInfo info = {0};

	if (thread->record == NULL ||
	    (*profile->jvmti)->GetThreadInfo(profile->jvmti, object, &info) != JVMTI_ERROR_NONE)
		return;
	if (thread_table_rename(profile->model.threads, thread->record, info.name))
		writer_thread_start(profile->writer, thread->record);
	profile_deallocate(profile, info.name);
	(*jni)->DeleteLocalRef(jni, info.thread_group);
	(*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

void java_threads_update_names(struct java_threads *threads, JNIEnv *jni)
{
	struct profile *profile = threads->profile;
	jint count = 0;
	jthread *list = NULL;

	os_mutex_lock(&threads->lock);
	if ((*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		struct java_thread *thread = java_threads_stored(threads, list[i]);
		/* One that is about to end does it itself. */
		if (thread != NULL && thread != &threads->ended && !thread->leaving)
			java_threads_update_name(threads, jni, list[i], thread);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	os_mutex_unlock(&threads->lock);
	profile_deallocate(profile, list);
}
