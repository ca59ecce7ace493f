/* marks: timed, tsan, posix */
/*
 * Threads that share a lane add objects while another one sweeps: nearly all objects have been
 * collected by then, so chunks are emptied all the time. Signals delay the threads at any
 * instruction, as the system does on a busy machine, longer than a chunk lasts. Each object is
 * counted once, and memory that a delayed thread uses is still there.
 */
#include "alloc/live_objects.h"
#include "quick_check.h"
#include "run_suite.h"

#include "os/os.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { THREADS = 4, OBJECTS_EACH = 1000000, OBJECTS = THREADS * OBJECTS_EACH, LIVE_ONE_IN = 100 };

#define DELAY_NS 1000000u
#define PAUSE_NS 50000u

/* What the weak references refer to: most of them to nothing any more. */
static uintptr_t slots[OBJECTS];
static atomic_uint made;
static _Atomic pthread_t adders[THREADS];
static atomic_uint indexes;
static atomic_uint ready;
static atomic_uint done;
static atomic_bool all_added;
static struct live_objects *objects;

static jweak JNICALL new_weak(JNIEnv *jni, jobject object)
{
	unsigned at = atomic_fetch_add(&made, 1);
	(void)jni;
	slots[at] = at % LIVE_ONE_IN == 0 ? (uintptr_t)object : 0;
	return (jweak)((uintptr_t)&slots[at] | 1);
}

static void JNICALL delete_weak(JNIEnv *jni, jweak reference)
{
	(void)jni;
	(void)reference;
}

static const struct JNINativeInterface_ functions = {
        .NewWeakGlobalRef = new_weak,
        .DeleteWeakGlobalRef = delete_weak,
};
static JNIEnv jni = &functions;

static void delay(int number)
{
	(void)number;
	os_sleep_until(os_monotonic_ns() + DELAY_NS);
}

/* Threads end only when no more signal comes. */
static void add(void *argument)
{
	atomic_store(&adders[atomic_fetch_add(&indexes, 1)], pthread_self());
	atomic_fetch_add(&ready, 1);
	for (unsigned i = 0; i < OBJECTS_EACH; i++)
		QUICK_CHECK(live_objects_add(objects, &jni, 0, argument, 1, LIVE_SIZE_UNIT),
		            "object %u could not be added", i);
	atomic_fetch_add(&done, 1);
	while (!atomic_load(&all_added))
		os_sleep_until(os_monotonic_ns() + PAUSE_NS);
}

static void delay_all(void *argument)
{
	(void)argument;
	while (atomic_load(&ready) < THREADS)
		os_sleep_until(os_monotonic_ns() + PAUSE_NS);
	for (unsigned i = 0; atomic_load(&done) < THREADS; i = (i + 1) % THREADS) {
		(void)pthread_kill(atomic_load(&adders[i]), SIGUSR1);
		os_sleep_until(os_monotonic_ns() + PAUSE_NS);
	}
	atomic_store(&all_added, true);
}

static void on_collected(void *argument, uint32_t site, uint64_t size)
{
	uint64_t *collected = argument;
	QUICK_CHECK(site == 1 && size == LIVE_SIZE_UNIT, "site %u, %u bytes", site, (unsigned)size);
	(*collected)++;
}

START_TEST(threads_add_while_chunks_are_emptied)
{
	struct os_thread_handle threads[THREADS + 1];
	uint64_t collected = 0;

	objects = live_objects_create(NULL);
	ck_assert_ptr_nonnull(objects);
	live_objects_read_addresses(objects, true);
	ck_assert(signal(SIGUSR1, delay) != SIG_ERR);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(os_thread_start(&threads[i], add, &threads[i]), 0);
	ck_assert_int_eq(os_thread_start(&threads[THREADS], delay_all, NULL), 0);
	while (!atomic_load(&all_added))
		live_objects_sweep(objects, &jni, on_collected, &collected);
	for (int i = 0; i <= THREADS; i++)
		os_thread_join(&threads[i]);
	live_objects_sweep(objects, &jni, on_collected, &collected);
	ck_assert_uint_eq(collected, OBJECTS - OBJECTS / LIVE_ONE_IN);
	ck_assert_uint_eq(live_objects_count(objects), OBJECTS / LIVE_ONE_IN);
	live_objects_destroy(objects);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("live_objects_threads");
	TCase *tests = tcase_create("live objects of many threads");

	tcase_add_test(tests, threads_add_while_chunks_are_emptied);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
