/*
 * dumped_threads.c: see dumped_threads.h. The threads of the profile are listed when a dump
 * begins, and again when the first thread is looked up that is not among them: it may have
 * started since. Threads that are still not in the profile are unlisted threads.
 */
#include "heapdump/dumped_threads.h"

#include "base/address_map.h"
#include "vm/java_thread_records.h"
#include "vm/java_thread_visits.h"

#include <stdlib.h>
#include <utlist.h>

/* A thread that dumps refer to but that is not in the profile. */
struct unlisted_thread {
	uint64_t tid;
	struct thread_record *record;
	bool seen; /* in the current dump */
	struct unlisted_thread *prev;
	struct unlisted_thread *next;
};

struct dumped_threads {
	struct profile *profile;
	struct address_map known; /* tid to serial */
	struct address_map ids;   /* tid to object id, of known threads */
	struct unlisted_thread *unlisted;
	struct address_map unlisted_by_tid; /* to struct unlisted_thread */
	bool refreshed;
	bool failed;
};

struct dumped_threads *dumped_threads_create(struct profile *profile)
{
	struct dumped_threads *threads = calloc(1, sizeof(*threads));
	if (threads != NULL)
		threads->profile = profile;
	return threads;
}

static void forget_known(struct dumped_threads *threads)
{
	address_map_free(&threads->known);
	address_map_free(&threads->ids);
	threads->refreshed = false;
	threads->failed = false;
}

void dumped_threads_destroy(struct dumped_threads *threads)
{
	struct unlisted_thread *thread;
	struct unlisted_thread *next;

	if (threads == NULL)
		return;
	DL_FOREACH_SAFE(threads->unlisted, thread, next)
	free(thread);
	address_map_free(&threads->unlisted_by_tid);
	forget_known(threads);
	free(threads);
}

static void note_known(void *context, const struct java_thread *thread)
{
	struct dumped_threads *threads = context;

	if (thread->tid != 0 &&
	    (!address_map_set(&threads->known, thread->tid, thread->serial) ||
	     !address_map_set(&threads->ids, thread->tid, thread->record->object_id)))
		threads->failed = true;
}

bool dumped_threads_begin(struct dumped_threads *threads)
{
	struct unlisted_thread *thread;

	forget_known(threads);
	DL_FOREACH(threads->unlisted, thread)
	thread->seen = false;
	java_threads_visit_known(threads->profile->threads, note_known, threads);
	return !threads->failed;
}

/* object is NULL when the thread object is not at hand: the record then has no names. */
static struct unlisted_thread *add_unlisted(struct dumped_threads *threads, JNIEnv *jni,
                                            jthread object, uint64_t tid)
{
	struct profile *profile = threads->profile;
	struct unlisted_thread *thread = calloc(1, sizeof(*thread));

	if (thread == NULL ||
	    !address_map_set(&threads->unlisted_by_tid, tid, (uint64_t)(uintptr_t)thread)) {
		free(thread);
		return NULL;
	}
	thread->tid = tid;
	thread->record = java_threads_record(profile->threads, jni, object,
	                                     thread_table_next_serial(profile->model.threads), tid);
	DL_APPEND(threads->unlisted, thread);
	return thread;
}

static struct unlisted_thread *find_unlisted(const struct dumped_threads *threads, uint64_t tid)
{
	const uint64_t *found = address_map_find(&threads->unlisted_by_tid, tid);
	return found == NULL ? NULL : (struct unlisted_thread *)(uintptr_t)*found;
}

static void note_unlisted(void *context, JNIEnv *jni, jthread object)
{
	struct dumped_threads *threads = context;
	uint64_t tid = java_threads_tid(threads->profile->threads, jni, object);

	if (tid != 0 && find_unlisted(threads, tid) == NULL &&
	    address_map_find(&threads->known, tid) == NULL)
		(void)add_unlisted(threads, jni, object, tid);
}

static void refresh(struct dumped_threads *threads, JNIEnv *jni)
{
	threads->refreshed = true;
	java_threads_visit_known(threads->profile->threads, note_known, threads);
	java_threads_visit_unlisted(threads->profile->threads, jni, note_unlisted, threads);
}

struct merge_thread dumped_threads_find(struct dumped_threads *threads, JNIEnv *jni, uint64_t tid)
{
	struct merge_thread found = {0};

	if (address_map_find(&threads->known, tid) == NULL && !threads->refreshed)
		refresh(threads, jni);
	const uint64_t *serial = address_map_find(&threads->known, tid);
	const uint64_t *id = address_map_find(&threads->ids, tid);
	if (serial != NULL && id != NULL) {
		found.serial = (uint32_t)*serial;
		found.object_id = *id;
		return found;
	}
	struct unlisted_thread *thread = find_unlisted(threads, tid);
	if (thread == NULL && tid != 0)
		thread = add_unlisted(threads, jni, NULL, tid);
	if (thread != NULL && thread->record != NULL) {
		thread->seen = true;
		found.serial = thread->record->serial;
		found.object_id = thread->record->object_id;
	}
	return found;
}

void dumped_threads_end(struct dumped_threads *threads)
{
	struct profile *profile = threads->profile;
	struct unlisted_thread *thread;
	struct unlisted_thread *next;

	address_map_free(&threads->unlisted_by_tid);
	DL_FOREACH_SAFE(threads->unlisted, thread, next)
	{
		if (thread->seen && address_map_set(&threads->unlisted_by_tid, thread->tid,
		                                    (uint64_t)(uintptr_t)thread))
			continue;
		DL_DELETE(threads->unlisted, thread);
		if (thread->record != NULL) {
			writer_thread_end(profile->writer, thread->record);
			thread_table_remove(profile->model.threads, thread->record);
		}
		free(thread);
	}
	forget_known(threads);
}
