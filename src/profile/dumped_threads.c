/*
 * dumped_threads.c: see dumped_threads.h. The numbers are read from the field of
 * java.lang.Thread, as no code of the program may run.
 */
#include "profile/dumped_threads.h"

#include "model/address_map.h"
#include "profile/java_threads.h"

#include <stdlib.h>

struct dumped_threads {
	struct profile *profile;
	jfieldID tid;
	struct address_map by_tid; /* to index */
	struct heap_splice_thread *list;
	size_t count;
	size_t capacity;
};

static bool add(struct dumped_threads *threads, uint64_t tid,
                const struct heap_splice_thread *thread)
{
	enum { FIRST = 64 };
	if (threads->count == threads->capacity) {
		size_t capacity = threads->capacity == 0 ? FIRST : threads->capacity * 2;
		struct heap_splice_thread *larger =
		        realloc(threads->list, capacity * sizeof(*larger));
		if (larger == NULL)
			return false;
		threads->list = larger;
		threads->capacity = capacity;
	}
	if (tid != 0 && !address_map_set(&threads->by_tid, tid, threads->count))
		return false;
	threads->list[threads->count++] = *thread;
	return true;
}

static void note_thread(void *context, JNIEnv *jni, jthread object,
                        const struct java_thread *thread)
{
	struct dumped_threads *threads = context;
	struct heap_splice_thread known = {.serial = thread->serial,
	                                   .object_id = thread->record->object_id};
	(void)add(threads, (uint64_t)(*jni)->GetLongField(jni, object, threads->tid), &known);
}

struct dumped_threads *dumped_threads_create(struct profile *profile, JNIEnv *jni)
{
	struct dumped_threads *threads = calloc(1, sizeof(*threads));
	if (threads == NULL)
		return NULL;
	threads->profile = profile;
	jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
	if (class != NULL)
		threads->tid = (*jni)->GetFieldID(jni, class, "tid", "J");
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	if (threads->tid != NULL)
		java_threads_visit(profile->threads, jni, note_thread, threads);
	(*jni)->DeleteLocalRef(jni, class);
	return threads;
}

void dumped_threads_destroy(struct dumped_threads *threads)
{
	if (threads == NULL)
		return;
	address_map_free(&threads->by_tid);
	free(threads->list);
	free(threads);
}

struct heap_splice_thread dumped_threads_find(struct dumped_threads *threads, uint64_t tid)
{
	const uint64_t *index = address_map_find(&threads->by_tid, tid);
	if (index != NULL)
		return threads->list[*index];
	struct heap_splice_thread unknown = {
	        .serial = thread_serial_next(threads->profile->model.threads)};
	/* Without memory it gets another serial the next time. */
	(void)add(threads, tid, &unknown);
	return unknown;
}
