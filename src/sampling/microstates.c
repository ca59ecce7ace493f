/*
 * microstates.c: msa=y: the time that each thread spent in each microstate, as a section
 * of its own in addition to those of other modes. The OS accounts the states; if it does
 * not account lock waits, the VM's monitor contention events do.
 *
 * Locking: one lock covers the list of live threads and the rows of ended threads. It is
 * taken under the profile's dump lock; nothing is locked while it is held. A thread
 * records its waits for monitors itself, without a lock.
 */
#include "sampling/sampling_mode.h"

#include "base/array.h"
#include "sampling/microstates_since.h"
#include "vm/java_threads.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* A live thread. */
struct account {
	const struct java_thread *thread;
	jobject object;               /* global reference */
	_Atomic uint64_t lock_ns;     /* time in waits for monitors, less CPU time */
	_Atomic uint64_t waits_since; /* os_monotonic_ns() at the start of the wait, or 0 */
	uint64_t cpu_ns;              /* the thread's CPU clock at that time */
	struct os_microstates begun;  /* what the system thread had when the thread began */
	struct account *prev;
	struct account *next;
};

struct microstates {
	struct profile *profile;
	_Atomic bool has_lock_events; /* the VM has events of contention */
	struct os_mutex lock;
	struct account *live;
	size_t live_count;
	struct microstates_row *ended; /* since the last dump */
	size_t ended_count;
	size_t ended_capacity;
	size_t written; /* number of rows of ended in the last section */
};

/* The system thread has been a thread that ended: that of main waits afterwards, as another
 * thread, for the end of all others, and native threads can come to the VM again and again. */
static _Thread_local bool was_a_thread;

static bool microstates_is_selected(const struct settings *settings)
{
	return settings->msa && settings->format == FORMAT_TEXT;
}

/* ---- waits for monitors -------------------------------------------------- */

/* The calling thread's account. NULL for an unknown thread, and for a virtual thread: its
 * carrier may run another thread during the wait. */
static struct account *own_account(struct microstates *microstates, JNIEnv *jni, jthread thread)
{
	struct java_thread *current = java_threads_current(microstates->profile->threads);
	struct account *own = current == NULL ? NULL : atomic_load(&current->accounting);
	return own != NULL && (*jni)->IsSameObject(jni, own->object, thread) ? own : NULL;
}

static void microstates_monitor_contended_enter(void *mode, JNIEnv *jni, jthread thread,
                                                jobject monitor)
{
	struct account *own = own_account(mode, jni, thread);
	(void)monitor;
	if (own == NULL)
		return;
	own->cpu_ns = os_self_cpu_ns();
	atomic_store_explicit(&own->waits_since, os_monotonic_ns(), memory_order_relaxed);
}

static void microstates_monitor_contended_entered(void *mode, JNIEnv *jni, jthread thread,
                                                  jobject monitor)
{
	struct account *own = own_account(mode, jni, thread);
	(void)monitor;
	if (own == NULL)
		return;
	uint64_t since_ns = atomic_load_explicit(&own->waits_since, memory_order_relaxed);
	if (since_ns == 0)
		return;
	uint64_t wall_ns = os_monotonic_ns() - since_ns;
	uint64_t cpu_ns = os_self_cpu_ns() - own->cpu_ns;
	/* A reader between these two statements misses this wait; in the other order it
	 * would count it twice. */
	atomic_store(&own->waits_since, 0);
	if (wall_ns > cpu_ns)
		atomic_fetch_add(&own->lock_ns, wall_ns - cpu_ns);
}

/* The time that the thread has waited for monitors, including a wait in progress. */
static uint64_t lock_time(const struct account *account)
{
	uint64_t lock_ns = atomic_load(&account->lock_ns);
	uint64_t since_ns = atomic_load(&account->waits_since);
	return since_ns == 0 ? lock_ns : lock_ns + (os_monotonic_ns() - since_ns);
}

/* Moves up to ns from a state to OS_LCK; returns the rest. */
static uint64_t move_to_lock(struct os_microstates *states, enum os_microstate from, uint64_t ns)
{
	if ((states->known & 1u << from) == 0)
		return ns;
	uint64_t moved_ns = ns < states->ns[from] ? ns : states->ns[from];
	states->ns[from] -= moved_ns;
	states->ns[OS_LCK] += moved_ns;
	return ns - moved_ns;
}

/* For an OS that does not account lock waits: there a thread that waits for a monitor
 * counts as sleeping and, once it can run again, as waiting for a CPU. */
static void add_lock_state(struct os_microstates *states, uint64_t lock_ns)
{
	if ((states->known & 1u << OS_LCK) != 0)
		return;
	states->known |= 1u << OS_LCK;
	states->ns[OS_LCK] = 0;
	lock_ns = move_to_lock(states, OS_SLP, lock_ns);
	(void)move_to_lock(states, OS_LAT, lock_ns);
}

/* ---- rows ---------------------------------------------------------------- */

/* Reads the states of a thread that can't end meanwhile: the calling thread, or one
 * listed, under the lock. False for a thread without a record in the output. */
static bool fill_row(struct microstates *microstates, const struct account *account,
                     struct microstates_row *row)
{
	const struct thread_record *record = account->thread->record;
	if (record == NULL)
		return false;
	row->thread_serial = record->serial;
	row->name = record->name;
	uint64_t lock_ns = lock_time(account);
	if (os_thread_microstates(account->thread->id, &row->states) != 0) {
		memset(&row->states, 0, sizeof(row->states));
		return true;
	}
	microstates_since(&row->states, &account->begun);
	if (microstates->has_lock_events)
		add_lock_state(&row->states, lock_ns);
	return true;
}

/* Under the lock. False without memory. */
static bool append_ended(struct microstates *microstates, const struct microstates_row *row)
{
	if (!array_grow(&microstates->ended, &microstates->ended_capacity, microstates->ended_count,
	                sizeof(*row)))
		return false;
	microstates->ended[microstates->ended_count++] = *row;
	return true;
}

static int by_thread(const void *a, const void *b)
{
	const struct microstates_row *row_a = a;
	const struct microstates_row *row_b = b;
	return (row_a->thread_serial > row_b->thread_serial) -
	       (row_a->thread_serial < row_b->thread_serial);
}

/* The rows of all threads, by serial; the caller frees them. NULL without memory. Under
 * the lock. */
static struct microstates_row *collect_rows(struct microstates *microstates, size_t *count)
{
	const struct account *account;
	size_t filled = microstates->ended_count;
	struct microstates_row *rows =
	        calloc(microstates->ended_count + microstates->live_count + 1, sizeof(*rows));
	if (rows == NULL)
		return NULL;
	if (filled > 0)
		memcpy(rows, microstates->ended, filled * sizeof(*rows));
	microstates->written = filled;
	DL_FOREACH(microstates->live, account)
	{
		if (fill_row(microstates, account, &rows[filled]))
			filled++;
	}
	qsort(rows, filled, sizeof(*rows), by_thread);
	*count = filled;
	return rows;
}

static void microstates_write(void *mode)
{
	struct microstates *microstates = mode;
	struct profile *profile = microstates->profile;
	struct microstates_record record = {.wall_ms = os_wall_ms()};

	os_mutex_lock(&microstates->lock);
	struct microstates_row *rows = collect_rows(microstates, &record.row_count);
	os_mutex_unlock(&microstates->lock);
	if (rows == NULL) {
		profile_out_of_memory(profile);
		return;
	}
	record.rows = rows;
	writer_microstates(profile->writer, &record);
	free(rows);
}

/* Keeps the rows of threads that have ended since the section was written. */
static void microstates_reset(void *mode)
{
	struct microstates *microstates = mode;

	os_mutex_lock(&microstates->lock);
	size_t kept = microstates->ended_count - microstates->written;
	if (kept > 0)
		memmove(microstates->ended, microstates->ended + microstates->written,
		        kept * sizeof(*microstates->ended));
	microstates->ended_count = kept;
	microstates->written = 0;
	os_mutex_unlock(&microstates->lock);
}

/* ---- threads ------------------------------------------------------------- */

static void add_thread(struct microstates *microstates, JNIEnv *jni, jthread object,
                       struct java_thread *thread, const struct os_microstates *begun)
{
	struct account *account = calloc(1, sizeof(*account));

	if (account == NULL) {
		profile_out_of_memory(microstates->profile);
		return;
	}
	account->thread = thread;
	account->begun = *begun;
	account->object = (*jni)->NewGlobalRef(jni, object);
	atomic_store(&thread->accounting, account);
	os_mutex_lock(&microstates->lock);
	DL_APPEND(microstates->live, account);
	microstates->live_count++;
	os_mutex_unlock(&microstates->lock);
}

static void microstates_thread_start(void *mode, JNIEnv *jni, jthread object,
                                     struct java_thread *thread)
{
	struct os_microstates begun = {0};

	if (was_a_thread && os_thread_microstates(thread->id, &begun) != 0)
		memset(&begun, 0, sizeof(begun));
	add_thread(mode, jni, object, thread, &begun);
}

/* On any thread. */
static void microstates_existing_thread(void *mode, JNIEnv *jni, jthread object,
                                        struct java_thread *thread)
{
	static const struct os_microstates from_its_start;
	add_thread(mode, jni, object, thread, &from_its_start);
}

static void microstates_thread_end(void *mode, JNIEnv *jni, struct java_thread *thread)
{
	struct microstates *microstates = mode;
	struct microstates_row row;
	struct account *account = atomic_load(&thread->accounting);

	was_a_thread = true;
	if (account == NULL)
		return;
	atomic_store(&thread->accounting, NULL);
	bool filled = fill_row(microstates, account, &row);
	os_mutex_lock(&microstates->lock);
	DL_DELETE(microstates->live, account);
	microstates->live_count--;
	bool kept = !filled || append_ended(microstates, &row);
	os_mutex_unlock(&microstates->lock);
	if (!kept)
		profile_out_of_memory(microstates->profile);
	(*jni)->DeleteGlobalRef(jni, account->object);
	free(account);
}

/* ---- life ---------------------------------------------------------------- */

static void *microstates_create(struct profile *profile, struct mode_needs *needs)
{
	struct microstates *microstates = calloc(1, sizeof(*microstates));

	if (microstates == NULL || os_mutex_init(&microstates->lock) != 0) {
		message_print("out of memory");
		free(microstates);
		return NULL;
	}
	microstates->profile = profile;
	int error = os_microstates_enable();
	if (error != 0) {
		char text[OS_ERROR_TEXT_MAX];
		os_error_text(error, text, sizeof(text));
		message_print("msa=y is unavailable: %s; remove msa=", text);
		os_mutex_destroy(&microstates->lock);
		free(microstates);
		return NULL;
	}
	needs->capabilities.can_generate_monitor_events = 1;
	needs->monitor_contention = true;
	return microstates;
}

/* For the start-up message: the source of the time in lock waits. */
static const char *locks_name(const struct microstates *microstates)
{
	struct os_microstates states;

	if (os_thread_microstates(os_self_thread(), &states) == 0 &&
	    (states.known & 1u << OS_LCK) != 0)
		return "by the system";
	return microstates->has_lock_events ? "by the VM's events" : "unknown";
}

static void microstates_live(void *mode, JNIEnv *jni)
{
	struct microstates *microstates = mode;
	struct profile *profile = microstates->profile;
	jvmtiCapabilities capabilities;
	(void)jni;

	memset(&capabilities, 0, sizeof(capabilities));
	(void)(*profile->jvmti)->GetCapabilities(profile->jvmti, &capabilities);
	microstates->has_lock_events = capabilities.can_generate_monitor_events != 0;
	profile_note(profile, "msa=y: thread times (CPU time of calls: %s; LCK: %s)",
	             os_cpu_clock_name(), locks_name(microstates));
}

static void microstates_destroy(void *mode, JNIEnv *jni)
{
	struct microstates *microstates = mode;
	struct account *account;
	struct account *next;

	DL_FOREACH_SAFE(microstates->live, account, next)
	{
		(*jni)->DeleteGlobalRef(jni, account->object);
		free(account);
	}
	free(microstates->ended);
	os_mutex_destroy(&microstates->lock);
	free(microstates);
}

const struct mode_ops microstates_mode = {
        .title = "thread microstates",
        .is_selected = microstates_is_selected,
        .create = microstates_create,
        .live = microstates_live,
        .thread_start = microstates_thread_start,
        .thread_end = microstates_thread_end,
        .existing_thread = microstates_existing_thread,
        .monitor_contended_enter = microstates_monitor_contended_enter,
        .monitor_contended_entered = microstates_monitor_contended_entered,
        .write = microstates_write,
        .reset = microstates_reset,
        .destroy = microstates_destroy,
};
