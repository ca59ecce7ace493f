/*
 * dumped_threads.c: see dumped_threads.h. A list of threads in the profile is made when a
 * dump begins, and another when the first thread is asked for that is not in it: one that
 * started since. Those that are still not known are strangers.
 */
#include "heapdump/dumped_threads.h"

#include "base/address_map.h"
#include "vm/java_threads.h"

#include <stdlib.h>
#include <utlist.h>

/* A thread that is in dumps and not in the profile. */
struct stranger {
	uint64_t tid;
	struct thread_record *record;
	bool seen; /* by the dump under way */
	struct stranger *prev;
	struct stranger *next;
};

struct dumped_threads {
	struct profile *profile;
	struct address_map known; /* tid to serial */
	struct address_map ids;   /* tid to object id, of the known */
	struct stranger *strangers;
	struct address_map stranger_by_tid; /* to struct stranger */
	bool looked_again;
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
	threads->looked_again = false;
	threads->failed = false;
}

void dumped_threads_destroy(struct dumped_threads *threads)
{
	struct stranger *stranger;
	struct stranger *next;

	if (threads == NULL)
		return;
	DL_FOREACH_SAFE(threads->strangers, stranger, next)
	free(stranger);
	address_map_free(&threads->stranger_by_tid);
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
	struct stranger *stranger;

	forget_known(threads);
	DL_FOREACH(threads->strangers, stranger)
	stranger->seen = false;
	java_threads_visit_known(threads->profile->threads, note_known, threads);
	return !threads->failed;
}

/* object is NULL when the thread can't be asked for its names. */
static struct stranger *add_stranger(struct dumped_threads *threads, JNIEnv *jni, jthread object,
                                     uint64_t tid)
{
	struct profile *profile = threads->profile;
	struct stranger *stranger = calloc(1, sizeof(*stranger));

	if (stranger == NULL ||
	    !address_map_set(&threads->stranger_by_tid, tid, (uint64_t)(uintptr_t)stranger)) {
		free(stranger);
		return NULL;
	}
	stranger->tid = tid;
	stranger->record = java_threads_record(profile->threads, jni, object,
	                                       thread_serial_next(profile->model.threads), tid);
	DL_APPEND(threads->strangers, stranger);
	return stranger;
}

static struct stranger *find_stranger(const struct dumped_threads *threads, uint64_t tid)
{
	const uint64_t *found = address_map_find(&threads->stranger_by_tid, tid);
	return found == NULL ? NULL : (struct stranger *)(uintptr_t)*found;
}

static void note_stranger(void *context, JNIEnv *jni, jthread object)
{
	struct dumped_threads *threads = context;
	uint64_t tid = java_threads_tid(threads->profile->threads, jni, object);

	if (tid != 0 && find_stranger(threads, tid) == NULL &&
	    address_map_find(&threads->known, tid) == NULL)
		(void)add_stranger(threads, jni, object, tid);
}

static void look_again(struct dumped_threads *threads, JNIEnv *jni)
{
	threads->looked_again = true;
	java_threads_visit_known(threads->profile->threads, note_known, threads);
	java_threads_visit_strangers(threads->profile->threads, jni, note_stranger, threads);
}

struct merge_thread dumped_threads_find(struct dumped_threads *threads, JNIEnv *jni, uint64_t tid)
{
	struct merge_thread found = {0};

	if (address_map_find(&threads->known, tid) == NULL && !threads->looked_again)
		look_again(threads, jni);
	const uint64_t *serial = address_map_find(&threads->known, tid);
	const uint64_t *id = address_map_find(&threads->ids, tid);
	if (serial != NULL && id != NULL) {
		found.serial = (uint32_t)*serial;
		found.object_id = *id;
		return found;
	}
	struct stranger *stranger = find_stranger(threads, tid);
	if (stranger == NULL && tid != 0)
		stranger = add_stranger(threads, jni, NULL, tid);
	if (stranger != NULL && stranger->record != NULL) {
		stranger->seen = true;
		found.serial = stranger->record->serial;
		found.object_id = stranger->record->object_id;
	}
	return found;
}

void dumped_threads_end(struct dumped_threads *threads)
{
	struct profile *profile = threads->profile;
	struct stranger *stranger;
	struct stranger *next;

	address_map_free(&threads->stranger_by_tid);
	DL_FOREACH_SAFE(threads->strangers, stranger, next)
	{
		if (stranger->seen && address_map_set(&threads->stranger_by_tid, stranger->tid,
		                                      (uint64_t)(uintptr_t)stranger))
			continue;
		DL_DELETE(threads->strangers, stranger);
		if (stranger->record != NULL) {
			writer_thread_end(profile->writer, stranger->record);
			thread_remove(profile->model.threads, stranger->record);
		}
		free(stranger);
	}
	forget_known(threads);
}
