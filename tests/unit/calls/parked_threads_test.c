/* marks: tsan */
/*
 * Tests of the table of virtual threads on no carrier, which carriers and a dump use at once.
 */
#include "calls/parked_threads.h"
#include "run_suite.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, PARKS = 2000, SHARED = 8 };

static struct parked_threads *parked;

static void set_up(void)
{
	parked = parked_threads_create();
	ck_assert_ptr_nonnull(parked);
}

static void tear_down(void)
{
	parked_threads_destroy(parked);
}

static void add(uint64_t tid, uint32_t node)
{
	const struct parked_thread thread = {
	        .tid = tid, .node = node, .since_ns = tid, .cause = WAIT_IO};
	ck_assert(parked_threads_add(parked, &thread));
}

static void count(void *argument, struct parked_thread *thread)
{
	(void)thread;
	++*(size_t *)argument;
}

static size_t size(void)
{
	size_t counted = 0;
	parked_threads_visit(parked, count, &counted);
	return counted;
}

START_TEST(a_thread_is_taken_once)
{
	struct parked_thread taken;

	add(7, 70);
	add(7 + 64, 71);
	ck_assert(!parked_threads_take(parked, 8, &taken));
	ck_assert(parked_threads_take(parked, 7, &taken));
	ck_assert_uint_eq(taken.tid, 7);
	ck_assert_uint_eq(taken.node, 70);
	ck_assert_uint_eq(taken.since_ns, 7);
	ck_assert_int_eq(taken.cause, WAIT_IO);
	ck_assert(!parked_threads_take(parked, 7, &taken));
	ck_assert_uint_eq(size(), 1);
}
END_TEST

START_TEST(a_thread_that_is_added_again_replaces_itself)
{
	struct parked_thread taken;

	add(7, 70);
	add(7, 71);
	ck_assert_uint_eq(size(), 1);
	ck_assert(parked_threads_take(parked, 7, &taken));
	ck_assert_uint_eq(taken.node, 71);
}
END_TEST

static void move_on(void *argument, struct parked_thread *thread)
{
	(void)argument;
	thread->since_ns += 1000;
}

START_TEST(a_visit_can_change_the_time)
{
	struct parked_thread taken;

	add(7, 70);
	add(9, 90);
	parked_threads_visit(parked, move_on, NULL);
	ck_assert(parked_threads_take(parked, 9, &taken));
	ck_assert_uint_eq(taken.since_ns, 1009);
	ck_assert(parked_threads_take(parked, 7, &taken));
	ck_assert_uint_eq(taken.since_ns, 1007);
}
END_TEST

START_TEST(many_threads_are_kept)
{
	struct parked_thread taken;

	for (uint64_t tid = 1; tid <= 10000; tid++)
		add(tid, (uint32_t)tid);
	ck_assert_uint_eq(size(), 10000);
	for (uint64_t tid = 1; tid <= 10000; tid++) {
		ck_assert(parked_threads_take(parked, tid, &taken));
		ck_assert_uint_eq(taken.node, tid);
	}
	ck_assert_uint_eq(size(), 0);
}
END_TEST

/* A carrier: others park and take threads of the same parts. */
static void *park(void *argument)
{
	uint64_t first = 1 + *(const uint64_t *)argument * PARKS;
	uintptr_t taken_count = 0;
	struct parked_thread taken;

	for (uint64_t tid = first; tid < first + PARKS; tid++) {
		add(tid, 1);
		if (tid >= first + SHARED)
			taken_count += parked_threads_take(parked, tid - SHARED, &taken);
	}
	return (void *)taken_count;
}

START_TEST(carriers_use_it_at_once)
{
	pthread_t threads[THREADS];
	uint64_t numbers[THREADS];

	for (uint64_t i = 0; i < THREADS; i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, park, &numbers[i]), 0);
	}
	for (int i = 0; i < 20; i++)
		parked_threads_visit(parked, move_on, NULL);
	for (int i = 0; i < THREADS; i++) {
		void *taken = NULL;
		ck_assert_int_eq(pthread_join(threads[i], &taken), 0);
		ck_assert_uint_eq((uintptr_t)taken, PARKS - SHARED);
	}
	ck_assert_uint_eq(size(), (size_t)THREADS * SHARED);
}
END_TEST

static Suite *parked_threads_suite(void)
{
	Suite *suite = suite_create("parked_threads");
	TCase *tc = tcase_create("parked_threads");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_thread_is_taken_once);
	tcase_add_test(tc, a_thread_that_is_added_again_replaces_itself);
	tcase_add_test(tc, a_visit_can_change_the_time);
	tcase_add_test(tc, many_threads_are_kept);
	tcase_add_test(tc, carriers_use_it_at_once);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(parked_threads_suite());
}
