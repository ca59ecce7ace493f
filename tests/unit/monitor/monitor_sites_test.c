/*
 * Tests of the sites of monitor=y and of the MONITOR TIME rows collected from them.
 */
#include "monitor/monitor_sites.h"
#include "monitor/monitor_times.h"
#include "run_suite.h"

#include <pthread.h>
#include <stdlib.h>

static const struct class_record lock_class = {.serial = 100001};
static const struct class_record other_class = {.serial = 100002};
static const struct trace traces[3] = {{.serial = 300001}, {.serial = 300002}, {.serial = 300003}};
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
	struct monitor_site_frame frames[2] = {{.method = method, .bci = bci},
	                                       {.method = 7, .bci = 3}};
	struct monitor_site_key key = {
	        .class = class, .thread_serial = thread_serial, .depth = depth, .frames = frames};
	struct monitor_site *found = monitor_sites_find(sites, &key, created);

	ck_assert_ptr_nonnull(found);
	return found;
}

/* A site for that trace and bytecode index, with that many waits of each_ns. */
static struct monitor_site *counted_site(const struct class_record *class,
                                         const struct trace *trace, int64_t bci, unsigned waits,
                                         uint64_t each_ns)
{
	bool created;
	struct monitor_site *found = site(class, 0, trace->serial, bci, 1, &created);

	found->trace = trace;
	for (unsigned i = 0; i < waits; i++)
		monitor_site_add(found, each_ns);
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
	ck_assert_uint_eq(first->key.frames[1].method, 7);
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
		monitor_site_add(site(&lock_class, 0, 1, i, 1, &created), EACH_NS);
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
		ck_assert_uint_eq(found->count, THREADS);
		ck_assert_uint_eq(found->wait_ns, THREADS * EACH_NS);
	}
}
END_TEST

START_TEST(rows_are_sorted_by_time_and_merged_by_trace)
{
	struct monitor_times times;

	(void)counted_site(&lock_class, &traces[0], 1, 2, 100);
	(void)counted_site(&lock_class, &traces[0], 2, 3, 200);
	(void)counted_site(&other_class, &traces[0], 1, 1, 50);
	(void)counted_site(&lock_class, &traces[1], 1, 1, 1000);
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.total_ns, 1850);
	ck_assert_uint_eq(times.row_count, 3);
	ck_assert_ptr_eq(times.rows[0].trace, &traces[1]);
	ck_assert_uint_eq(times.rows[1].wait_ns, 800);
	ck_assert_uint_eq(times.rows[1].count, 5);
	ck_assert_ptr_eq(times.rows[2].class, &other_class);
	monitor_times_free(&times);
}
END_TEST

START_TEST(rows_below_the_cutoff_count_in_the_total)
{
	struct monitor_times times;

	(void)counted_site(&lock_class, &traces[0], 1, 1, 70);
	(void)counted_site(&lock_class, &traces[1], 1, 1, 20);
	(void)counted_site(&lock_class, &traces[2], 1, 1, 10);
	ck_assert(monitor_times_collect(sites, 0.2, &times));
	ck_assert_uint_eq(times.row_count, 2);
	ck_assert_uint_eq(times.total_ns, 100);
	monitor_times_free(&times);
}
END_TEST

START_TEST(each_section_starts_where_the_last_one_ended)
{
	struct monitor_times times;
	struct monitor_site *first = counted_site(&lock_class, &traces[0], 1, 2, 100);
	(void)counted_site(&lock_class, &traces[1], 1, 1, 5);

	ck_assert(monitor_times_collect(sites, 0.0, &times));
	monitor_times_free(&times);
	monitor_site_add(first, 30); /* after the section, before the reset */
	monitor_times_reset(sites);
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.row_count, 1);
	ck_assert_uint_eq(times.rows[0].count, 1);
	ck_assert_uint_eq(times.rows[0].wait_ns, 30);
	monitor_times_free(&times);
	monitor_times_reset(sites);
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.row_count, 0);
	ck_assert_uint_eq(times.total_ns, 0);
	monitor_times_free(&times);
}
END_TEST

START_TEST(a_site_without_a_trace_stays_for_a_later_section)
{
	struct monitor_times times;
	struct monitor_site *unresolved = counted_site(&lock_class, &traces[0], 1, 4, 10);

	unresolved->trace = NULL;
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.row_count, 0);
	monitor_times_free(&times);
	monitor_times_reset(sites);
	unresolved->trace = &traces[0];
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.rows[0].count, 4);
	monitor_times_free(&times);
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
	tcase_add_test(tests, rows_are_sorted_by_time_and_merged_by_trace);
	tcase_add_test(tests, rows_below_the_cutoff_count_in_the_total);
	tcase_add_test(tests, each_section_starts_where_the_last_one_ended);
	tcase_add_test(tests, a_site_without_a_trace_stays_for_a_later_section);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_sites_suite());
}
