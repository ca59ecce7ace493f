/*
 * looked_threads.c: see looked_threads.h.
 */
#include "sampling/looked_threads.h"

#include "base/passed.h"
#include "vm/java_threads.h"

#include <stdlib.h>
#include <utlist.h>

static uint64_t all_pauses_ns(const struct vm_pauses *pauses)
{
	struct vm_pauses_reading reading = vm_pauses_read(pauses);
	return reading.safepoint_ns > reading.collected_ns ? reading.safepoint_ns
	                                                   : reading.collected_ns;
}

bool looked_clocks_read(os_thread thread, struct look_clocks *clocks)
{
	clocks->wall_ns = os_monotonic_ns();
	return os_thread_cpu_ns(thread, &clocks->cpu_ns) == 0;
}

struct look_times looked_thread_times(const struct looked_threads *threads,
                                      struct looked_thread *thread,
                                      const struct look_clocks *clocks)
{
	struct look_times times = {
	        .wall_ns = passed_since(&thread->seen_ns, clocks->wall_ns),
	        .cpu_ns = passed_since(&thread->cpu_ns, clocks->cpu_ns),
	        .paused_ns = passed_since(&thread->paused_ns, all_pauses_ns(threads->pauses)),
	};
	uint64_t queued_ns;

	thread->has_run = thread->has_run || times.cpu_ns > 0;
	/* One that has not run is not at the end of a wait for a CPU either. */
	if (times.cpu_ns > 0 && thread->has_queue &&
	    os_run_queue_waited(&thread->queue, &queued_ns) && queued_ns >= thread->queued_ns)
		times.queued_ns = passed_since(&thread->queued_ns, queued_ns);
	return times;
}

bool looked_thread_still_waits(const struct looked_thread *thread, uint64_t cpu_ns)
{
	return thread->trace != NULL && !thread->has_run && cpu_ns == thread->cpu_ns;
}

void looked_thread_charge_wait(struct looked_thread *thread, const struct look_times *times)
{
	thread->charge.ns[TRACE_LAT] += look_account_wait(&thread->account, times);
	thread->charge.ns[thread->state] += look_account_take(&thread->account.waited_ns);
}

bool looked_thread_flush(struct looked_thread *thread, struct state_counts *counts)
{
	if (thread->trace == NULL)
		return true;
	bool added = state_counts_add(counts, thread->trace, &thread->charge);
	thread->charge = (struct state_charge){.samples = 0};
	return added;
}

/* ---- the list ------------------------------------------------------------ */

static int open_queue(struct looked_thread *thread)
{
	int error = os_run_queue_open(&thread->queue, thread->id);

	thread->has_queue = error == 0;
	if (thread->has_queue && !os_run_queue_waited(&thread->queue, &thread->queued_ns))
		thread->queued_ns = 0;
	return error;
}

static void close_queue(struct looked_thread *thread)
{
	if (thread->has_queue)
		os_run_queue_close(&thread->queue);
	thread->has_queue = false;
}

static void free_thread(JNIEnv *jni, struct looked_thread *thread)
{
	if (thread->object != NULL)
		(*jni)->DeleteGlobalRef(jni, thread->object);
	close_queue(thread);
	free(thread);
}

bool looked_threads_init(struct looked_threads *threads, struct profile *profile,
                         const struct vm_pauses *pauses)
{
	*threads = (struct looked_threads){.profile = profile, .pauses = pauses};
	return os_mutex_init(&threads->lock) == 0;
}

void looked_threads_free(struct looked_threads *threads, JNIEnv *jni)
{
	struct looked_thread *thread;
	struct looked_thread *next;

	HASH_CLEAR(hh, threads->serials);
	DL_FOREACH_SAFE(threads->list, thread, next)
	free_thread(jni, thread);
	os_mutex_destroy(&threads->lock);
}

/* False without memory. queue_error: why it has no queue. */
static bool list_thread(struct looked_threads *threads, struct looked_thread *thread,
                        int queue_error)
{
	os_mutex_lock(&threads->lock);
	HASH_ADD(hh, threads->serials, serial, sizeof(thread->serial), thread);
	bool added = !thread->hash_failed;
	if (added) {
		DL_APPEND(threads->list, thread);
		threads->count++;
		threads->queues += thread->has_queue;
		threads->queueless += !thread->has_queue && queue_error != OS_UNSUPPORTED;
	}
	os_mutex_unlock(&threads->lock);
	return added;
}

void looked_threads_add(struct looked_threads *threads, JNIEnv *jni, jthread object,
                        const struct java_thread *thread)
{
	struct looked_thread *looked = calloc(1, sizeof(*looked));
	struct look_clocks clocks;

	if (looked == NULL) {
		profile_out_of_memory(threads->profile);
		return;
	}
	if (!looked_clocks_read(thread->id, &clocks)) {
		free(looked);
		return;
	}
	looked->id = thread->id;
	looked->serial = thread->serial;
	looked->object = (*jni)->NewGlobalRef(jni, object);
	looked->cpu_ns = clocks.cpu_ns;
	looked->seen_ns = clocks.wall_ns;
	looked->paused_ns = all_pauses_ns(threads->pauses);
	looked->idle_rounds = 1;
	int error = open_queue(looked);
	/* To JVM TI, NULL would be the calling thread. */
	if (looked->object == NULL || !list_thread(threads, looked, error)) {
		free_thread(jni, looked);
		profile_out_of_memory(threads->profile);
	}
}

void looked_threads_end(struct looked_threads *threads, const struct java_thread *thread)
{
	os_mutex_lock(&threads->lock);
	struct looked_thread *looked = looked_threads_find(threads, thread->serial);
	if (looked != NULL) {
		struct look_clocks clocks = {.wall_ns = os_monotonic_ns()};
		clocks.cpu_ns = os_self_cpu_ns();
		struct look_times times = looked_thread_times(threads, looked, &clocks);
		look_account_run(&looked->account, &times);
		look_account_end(&looked->account);
		looked->ended = true;
		close_queue(looked);
	}
	os_mutex_unlock(&threads->lock);
}

struct looked_thread *looked_threads_find(const struct looked_threads *threads, uint32_t serial)
{
	struct looked_thread *thread;

	HASH_FIND(hh, threads->serials, &serial, sizeof(serial), thread);
	return thread;
}

void looked_threads_remove(struct looked_threads *threads, JNIEnv *jni,
                           struct looked_thread *thread)
{
	DL_DELETE(threads->list, thread);
	threads->count--;
	if (looked_threads_find(threads, thread->serial) != NULL)
		HASH_DEL(threads->serials, thread);
	free_thread(jni, thread);
}
