/*
 * looked_threads.h: the threads that the sampler of states looks at, with the time of each that is
 * not in state_counts yet.
 *
 * Locking: one lock covers the list and what is in it. Functions that say "locked" are called
 * under it. It may be taken under the profile's dump lock, not the other way round; the VM is
 * called under it only to delete references.
 */
#ifndef HPROF_SAMPLING_LOOKED_THREADS_H
#define HPROF_SAMPLING_LOOKED_THREADS_H

#include "base/hash.h"
#include "sampling/look_account.h"
#include "sampling/state_counts.h"
#include "vm/vm_pauses.h"

struct java_thread;

/* A thread. The first members never change. */
struct looked_thread {
	os_thread id;
	uint32_t serial;
	jobject object; /* global reference */
	struct looked_thread *prev;
	struct looked_thread *next;
	UT_hash_handle hh; /* by serial */
	bool hash_failed;
	struct os_run_queue queue;
	bool has_queue;
	bool ended;
	/* At the last look: */
	uint64_t seen_ns;
	uint64_t cpu_ns;
	uint64_t queued_ns;
	uint64_t paused_ns; /* all pauses of the VM */
	struct look_account account;
	/* The last wait that was seen, NULL if none was: it goes on as long as the thread does not
	 * run; and what has been charged to it since the last flush. */
	const struct trace *trace;
	enum trace_state state;
	bool has_run; /* since then */
	struct state_charge charge;
	unsigned idle_rounds; /* that pass between two looks */
	unsigned skipped;     /* rounds since the last look */
};

struct looked_threads {
	struct profile *profile;
	const struct vm_pauses *pauses;
	struct os_mutex lock;
	struct looked_thread *list; /* those that were looked at last are at the end */
	size_t count;
	struct looked_thread *serials;
	struct looked_thread *looking; /* in use without the lock; it is not freed meanwhile */
	uint32_t queues;               /* threads whose waits for a CPU are known, */
	uint32_t queueless;            /* and that had no file descriptor for it */
};

/* pauses must outlive it. False if the lock can't be created. */
bool looked_threads_init(struct looked_threads *threads, struct profile *profile,
                         const struct vm_pauses *pauses);

/* When no other thread uses it. */
void looked_threads_free(struct looked_threads *threads, JNIEnv *jni);

/* A thread starts, or exists and can't end during the call; and ends, on the thread itself. */
void looked_threads_add(struct looked_threads *threads, JNIEnv *jni, jthread object,
                        const struct java_thread *thread);
void looked_threads_end(struct looked_threads *threads, const struct java_thread *thread);

/* The thread with that serial, or NULL. Locked. */
struct looked_thread *looked_threads_find(const struct looked_threads *threads, uint32_t serial);

/* Removes a thread that has ended from the list, and frees it. Locked. */
void looked_threads_remove(struct looked_threads *threads, JNIEnv *jni,
                           struct looked_thread *thread);

/* Readings of the clocks for a look at a thread. */
struct look_clocks {
	uint64_t wall_ns;
	uint64_t cpu_ns; /* the thread's; not read before the other */
};

/* Reads the clocks. False if the thread has ended. The caller may lose its CPU between the two
 * readings, while the thread runs: its wait is too short by that time then, and the next look adds
 * it. In the other order it would be too long, which is not corrected once it is charged. */
bool looked_clocks_read(os_thread thread, struct look_clocks *clocks);

/* What has passed since the last look. Locked. */
struct look_times looked_thread_times(const struct looked_threads *threads,
                                      struct looked_thread *thread,
                                      const struct look_clocks *clocks);

/* Whether the thread, whose clock shows cpu_ns, is in the wait that was seen last. Locked. */
bool looked_thread_still_waits(const struct looked_thread *thread, uint64_t cpu_ns);

/* Charges the time to the wait that was seen last. Locked. */
void looked_thread_charge_wait(struct looked_thread *thread, const struct look_times *times);

/* Moves what has been charged to the wait into counts. False without memory. Locked. */
bool looked_thread_flush(struct looked_thread *thread, struct state_counts *counts);

#endif
