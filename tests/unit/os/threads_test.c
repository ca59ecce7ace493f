/* marks: timed, tsan */
/*
 * Tests of threads, mutexes, events and pages. Those that need signals or know
 * paths are in os_threads_posix_test.c.
 */
#include "judged_times.h"
#include "os_load.h"
#include "run_suite.h"

#include <stdatomic.h>
#include <string.h>

struct shared {
	struct os_mutex mutex;
	struct os_event event;
	unsigned long counter;
	_Atomic os_thread thread;
	atomic_bool flag;
	atomic_bool quit;
};

static struct shared shared;

static void set_up(void)
{
	memset(&shared, 0, sizeof(shared));
	ck_assert_int_eq(os_mutex_init(&shared.mutex), 0);
	ck_assert_int_eq(os_event_init(&shared.event), 0);
}

static void tear_down(void)
{
	os_event_destroy(&shared.event);
	os_mutex_destroy(&shared.mutex);
}

static void note_thread(void *arg)
{
	struct shared *s = arg;
	atomic_store(&s->thread, os_self_thread());
}

START_TEST(started_thread_runs_with_its_argument_and_is_joined)
{
	struct os_thread_handle handle;
	ck_assert_int_eq(os_thread_start(&handle, note_thread, &shared), 0);
	os_thread_join(&handle);
	ck_assert_uint_ne(shared.thread, 0);
	ck_assert_uint_ne(shared.thread, os_self_thread());
}
END_TEST

static void count_up(void *arg)
{
	struct shared *s = arg;
	for (int i = 0; i < 20000; i++) {
		os_mutex_lock(&s->mutex);
		s->counter = s->counter + 1;
		os_mutex_unlock(&s->mutex);
	}
}

START_TEST(mutex_excludes)
{
	struct os_thread_handle handles[4];
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(os_thread_start(&handles[i], count_up, &shared), 0);
	for (int i = 0; i < 4; i++)
		os_thread_join(&handles[i]);
	ck_assert_uint_eq(shared.counter, 80000);
}
END_TEST

START_TEST(event_wait_times_out)
{
	uint64_t before = os_monotonic_ns();
	ck_assert(!os_event_wait(&shared.event, 50));
	uint64_t waited_ns = os_monotonic_ns() - before;
	CHECK_TIME(waited_ns >= 50 * NS_PER_MS, "waited for %.3f ms", (double)waited_ns / 1e6);
	ck_assert(!os_event_wait(&shared.event, 0));
}
END_TEST

START_TEST(event_remembers_a_signal_that_nobody_waited_for)
{
	os_event_signal(&shared.event);
	ck_assert(os_event_wait(&shared.event, 0));
	ck_assert(!os_event_wait(&shared.event, 0));
}
END_TEST

static void wait_long(void *arg)
{
	struct shared *s = arg;
	atomic_store(&s->flag, os_event_wait(&s->event, 60000));
}

START_TEST(event_wakes_a_waiter_long_before_its_time_is_up)
{
	struct os_thread_handle handle;
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_thread_start(&handle, wait_long, &shared), 0);
	sleep_ms(20);
	os_event_signal(&shared.event);
	os_thread_join(&handle);
	uint64_t waited_ns = os_monotonic_ns() - before;
	ck_assert(shared.flag);
	CHECK_TIME(waited_ns < 30000 * NS_PER_MS, "waited for %.3f ms", (double)waited_ns / 1e6);
}
END_TEST

static struct os_event ping;
static struct os_event pong;

static void play_pong(void *arg)
{
	(void)arg;
	for (int i = 0; i < 5000; i++) {
		if (!os_event_wait(&ping, 20000))
			return;
		os_event_signal(&pong);
	}
}

START_TEST(event_never_loses_a_signal)
{
	struct os_thread_handle handle;
	ck_assert_int_eq(os_event_init(&ping), 0);
	ck_assert_int_eq(os_event_init(&pong), 0);
	ck_assert_int_eq(os_thread_start(&handle, play_pong, NULL), 0);
	for (int i = 0; i < 5000; i++) {
		os_event_signal(&ping);
		ck_assert_msg(os_event_wait(&pong, 20000), "signal %d was lost", i);
	}
	os_thread_join(&handle);
}
END_TEST

static void run_until_told(void *arg)
{
	struct shared *s = arg;
	atomic_store(&s->thread, os_self_thread());
	while (!atomic_load(&s->quit))
		burn_cpu(NS_PER_MS);
}

static void sleep_until_told(void *arg)
{
	struct shared *s = arg;
	atomic_store(&s->thread, os_self_thread());
	(void)os_event_wait(&s->event, 60000);
}

static os_thread await_thread(void)
{
	while (atomic_load(&shared.thread) == 0)
		sleep_ms(1);
	sleep_ms(20);
	return shared.thread;
}

/* On a busy machine it takes time to fall asleep. */
static void await_sleep(os_thread thread)
{
	while (os_thread_runnable(thread) == OS_YES)
		sleep_ms(1);
}

/* Asked by itself, it runs; another one can wait for its CPU whenever it is asked about. It can
 * lose its CPU between two looks, too, but not each time. Not every system has an answer. */
START_TEST(busy_thread_is_running)
{
	enum os_answer answer = OS_NO;
	for (int i = 0; i < 1000 && answer == OS_NO; i++)
		answer = os_thread_running(os_self_thread());
	ck_assert_int_ne(answer, OS_NO);
}
END_TEST

START_TEST(sleeping_thread_is_not_running)
{
	struct os_thread_handle handle;
	int running = 0;
	ck_assert_int_eq(os_thread_start(&handle, sleep_until_told, &shared), 0);
	os_thread thread = await_thread();
	await_sleep(thread);
	for (int i = 0; i < 100; i++)
		running += os_thread_running(thread) == OS_YES;
	os_event_signal(&shared.event);
	os_thread_join(&handle);
	ck_assert_int_eq(running, 0);
}
END_TEST

START_TEST(caller_is_running)
{
	ck_assert_int_eq(os_thread_running(os_self_thread()), OS_YES);
}
END_TEST

/* Whether it has its CPU or waits for it. What it does may make it wait for the system itself, so
 * not all answers count, but most. */
START_TEST(busy_thread_is_runnable)
{
	struct os_thread_handle handle;
	unsigned blocked = 0;
	ck_assert_int_eq(os_thread_start(&handle, run_until_told, &shared), 0);
	os_thread thread = await_thread();
	for (unsigned i = 0; i < 1000; i++)
		blocked += os_thread_runnable(thread) == OS_NO;
	atomic_store(&shared.quit, true);
	os_thread_join(&handle);
	ck_assert_uint_lt(blocked, 1000);
	CHECK_TIME(blocked < 500, "blocked in %u of 1000 looks", blocked);
}
END_TEST

START_TEST(sleeping_thread_is_not_runnable)
{
	struct os_thread_handle handle;
	int runnable = 0;
	ck_assert_int_eq(os_thread_start(&handle, sleep_until_told, &shared), 0);
	os_thread thread = await_thread();
	await_sleep(thread);
	for (int i = 0; i < 100; i++)
		runnable += os_thread_runnable(thread) == OS_YES;
	os_event_signal(&shared.event);
	os_thread_join(&handle);
	ck_assert_int_eq(runnable, 0);
}
END_TEST

START_TEST(caller_is_runnable)
{
	ck_assert_int_eq(os_thread_runnable(os_self_thread()), OS_YES);
}
END_TEST

START_TEST(state_of_what_is_no_thread_is_unknown)
{
	ck_assert_int_eq(os_thread_running(0), OS_UNKNOWN);
	ck_assert_int_eq(os_thread_running(UINT64_MAX), OS_UNKNOWN);
	ck_assert_int_eq(os_thread_runnable(0), OS_UNKNOWN);
	ck_assert_int_eq(os_thread_runnable(UINT64_MAX), OS_UNKNOWN);
}
END_TEST

START_TEST(pages_are_zeroed_and_writable)
{
	size_t size = ((size_t)1 << 20) + 5;
	unsigned char *pages = os_pages_alloc(size);
	ck_assert_ptr_nonnull(pages);
	for (size_t i = 0; i < size; i += 512)
		ck_assert_int_eq(pages[i], 0);
	memset(pages, 0xff, size);
	os_pages_free(pages, size);
}
END_TEST

START_TEST(parts_of_reserved_pages_get_memory)
{
	/* More than there is memory. */
	size_t size = (size_t)1 << 40;
	enum { PART = 1 << 16 };
	unsigned char *pages = os_pages_reserve(size);
	unsigned char *part = pages + size / 2;

	ck_assert_ptr_nonnull(pages);
	ck_assert(os_pages_commit(part, PART));
	for (size_t i = 0; i < PART; i++)
		ck_assert_int_eq(part[i], 0);
	memset(part, 0xff, PART);
	ck_assert(os_pages_commit(part + PART / 2, PART));
	ck_assert_int_eq(part[PART - 1], 0xff);
	ck_assert_int_eq(part[PART], 0);
	part[PART] = 1;
	os_pages_discard(part, PART);
	ck_assert_int_eq(part[0] | part[PART - 1], 0);
	ck_assert_int_eq(part[PART], 1);
	part[0] = 1;
	os_pages_free(pages, size);
}
END_TEST

START_TEST(there_are_not_that_many_addresses)
{
	ck_assert_ptr_null(os_pages_reserve(SIZE_MAX / 2));
}
END_TEST

START_TEST(discarded_pages_read_as_0_and_can_be_written)
{
	size_t size = ((size_t)1 << 20) + 5;
	unsigned char *pages = os_pages_alloc(size);
	ck_assert_ptr_nonnull(pages);
	memset(pages, 0xff, size);
	os_pages_discard(pages, size);
	for (size_t i = 0; i < size; i += 512)
		ck_assert_int_eq(pages[i], 0);
	memset(pages, 0xff, size);
	os_pages_free(pages, size);
	os_pages_discard(NULL, 4096);
}
END_TEST

START_TEST(pages_that_can_not_be_had_are_null)
{
	ck_assert_ptr_null(os_pages_alloc(0));
	ck_assert_ptr_null(os_pages_alloc(SIZE_MAX / 2));
	os_pages_free(NULL, 4096);
}
END_TEST

static TCase *synchronization_tests(void)
{
	TCase *tc = tcase_create("synchronization");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, started_thread_runs_with_its_argument_and_is_joined);
	tcase_add_test(tc, mutex_excludes);
	tcase_add_test(tc, event_wait_times_out);
	tcase_add_test(tc, event_remembers_a_signal_that_nobody_waited_for);
	tcase_add_test(tc, event_wakes_a_waiter_long_before_its_time_is_up);
	tcase_add_test(tc, event_never_loses_a_signal);
	return tc;
}

static TCase *state_tests(void)
{
	TCase *tc = tcase_create("states");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, busy_thread_is_running);
	tcase_add_test(tc, sleeping_thread_is_not_running);
	tcase_add_test(tc, caller_is_running);
	tcase_add_test(tc, busy_thread_is_runnable);
	tcase_add_test(tc, sleeping_thread_is_not_runnable);
	tcase_add_test(tc, caller_is_runnable);
	tcase_add_test(tc, state_of_what_is_no_thread_is_unknown);
	return tc;
}

static Suite *os_threads_suite(void)
{
	Suite *suite = suite_create("os_threads");
	TCase *tc = tcase_create("process");
	tcase_add_test(tc, pages_are_zeroed_and_writable);
	tcase_add_test(tc, parts_of_reserved_pages_get_memory);
	tcase_add_test(tc, there_are_not_that_many_addresses);
	tcase_add_test(tc, discarded_pages_read_as_0_and_can_be_written);
	tcase_add_test(tc, pages_that_can_not_be_had_are_null);
	suite_add_tcase(suite, synchronization_tests());
	suite_add_tcase(suite, state_tests());
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(os_threads_suite());
}
