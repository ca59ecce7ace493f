/* marks: tsan */
/*
 * Tests of the sites of monitor=y.
 */
#include "monitor/monitor_sites.h"
#include "run_suite.h"

#include <pthread.h>
#include <stdlib.h>

static const struct class_record lock_class = {.serial = 100001};
static const struct class_record other_class = {.serial = 100002};
static struct monitor_sites *sites;

static void set_up(void)
{
	sites = monitor_sites_create();
	ck_assert_ptr_nonnull(sites);
}

static void tear_down(void)
{
	monitor_sites_destroy(sites);
}

static struct monitor_site *site(const struct class_record *class, uint32_t thread_serial,
                                 uint64_t method, int64_t bci, uint32_t depth, bool *created)
{
	const jvmtiFrameInfo frames[2] = {{.method = (jmethodID)(uintptr_t)method, .location = bci},
	                                  {.method = (jmethodID)(uintptr_t)7, .location = 3}};
	struct monitor_site_key key = {
	        .class = class, .thread_serial = thread_serial, .depth = depth, .frames = frames};
	struct monitor_site *found = monitor_sites_find(sites, &key, created);

	ck_assert_ptr_nonnull(found);
	return found;
}

START_TEST(a_key_has_one_site)
{
	bool created;
	struct monitor_site *first = site(&lock_class, 0, 1, 2, 2, &created);
	ck_assert(created);
	ck_assert_ptr_eq(site(&lock_class, 0, 1, 2, 2, &created), first);
	ck_assert(!created);
	ck_assert_uint_eq(first->key.depth, 2);
	ck_assert_uint_eq((uintptr_t)first->key.frames[1].method, 7);
}
END_TEST

START_TEST(each_part_of_a_key_identifies_the_site)
{
	bool created;
	struct monitor_site *first = site(&lock_class, 0, 1, 2, 2, &created);

	ck_assert_ptr_ne(site(&other_class, 0, 1, 2, 2, &created), first);
	ck_assert_ptr_ne(site(&lock_class, 200001, 1, 2, 2, &created), first);
	ck_assert_ptr_ne(site(&lock_class, 0, 2, 2, 2, &created), first);
	ck_assert_ptr_ne(site(&lock_class, 0, 1, 3, 2, &created), first);
	ck_assert_ptr_ne(site(&lock_class, 0, 1, 2, 1, &created), first);
	ck_assert_ptr_ne(site(&lock_class, 0, 1, 2, 0, &created), first);
	ck_assert(created);
}
END_TEST

enum { THREADS = 4, KEYS = 20000, EACH_NS = 3 };

static void *find_all(void *argument)
{
	uintptr_t *total = argument;
	for (int64_t i = 0; i < KEYS; i++) {
		bool created;
		monitor_site_add(site(&lock_class, 0, 1, i, 1, &created),
		                 (uint64_t[MONITOR_SUMS]){[MONITOR_WAIT_NS] = EACH_NS});
		*total += created;
	}
	return NULL;
}

START_TEST(concurrent_threads_create_each_site_once_and_lose_no_wait)
{
	pthread_t threads[THREADS];
	uintptr_t totals[THREADS] = {0};
	uintptr_t sum = 0;

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, find_all, &totals[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		sum += totals[i];
	}
	ck_assert_uint_eq(sum, KEYS);
	for (int64_t i = 0; i < KEYS; i++) {
		bool created;
		struct monitor_site *found = site(&lock_class, 0, 1, i, 1, &created);
		ck_assert(!created);
		ck_assert_uint_eq(found->sums[MONITOR_COUNT], THREADS);
		ck_assert_uint_eq(found->sums[MONITOR_WAIT_NS], THREADS * EACH_NS);
	}
}
END_TEST

static Suite *monitor_sites_suite(void)
{
	Suite *suite = suite_create("monitor_sites");
	TCase *tests = tcase_create("sites");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_key_has_one_site);
	tcase_add_test(tests, each_part_of_a_key_identifies_the_site);
	tcase_add_test(tests, concurrent_threads_create_each_site_once_and_lose_no_wait);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_sites_suite());
}
