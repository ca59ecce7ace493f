/*
 * Tests of the rows of MONITOR TIME.
 */
#include "monitor/monitor_times.h"
#include "run_suite.h"

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

/* A site for that trace and bytecode index, with that many waits of each_ns. */
static struct monitor_site *counted_site(const struct class_record *class,
                                         const struct trace *trace, int64_t bci, unsigned waits,
                                         uint64_t each_ns)
{
	const jvmtiFrameInfo frame = {.method = (jmethodID)(uintptr_t)trace->serial,
	                              .location = bci};
	struct monitor_site_key key = {.class = class, .depth = 1, .frames = &frame};
	bool created;
	struct monitor_site *site = monitor_sites_find(sites, &key, &created);

	ck_assert_ptr_nonnull(site);
	site->trace = trace;
	for (unsigned i = 0; i < waits; i++)
		monitor_site_add(site, (uint64_t[MONITOR_SUMS]){[MONITOR_WAIT_NS] = each_ns});
	return site;
}

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
	ck_assert_uint_eq(times.rows[1].sums[MONITOR_WAIT_NS], 800);
	ck_assert_uint_eq(times.rows[1].sums[MONITOR_COUNT], 5);
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
	monitor_site_add(first,
	                 (uint64_t[MONITOR_SUMS]){
	                         [MONITOR_WAIT_NS] = 30}); /* after the section, before the reset */
	monitor_times_reset(sites);
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.row_count, 1);
	ck_assert_uint_eq(times.rows[0].sums[MONITOR_COUNT], 1);
	ck_assert_uint_eq(times.rows[0].sums[MONITOR_WAIT_NS], 30);
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
	ck_assert_uint_eq(times.rows[0].sums[MONITOR_COUNT], 4);
	monitor_times_free(&times);
}
END_TEST

START_TEST(rows_of_equal_time_are_sorted_by_trace_and_class)
{
	struct monitor_times times;

	(void)counted_site(&other_class, &traces[1], 1, 1, 50);
	(void)counted_site(&lock_class, &traces[1], 1, 1, 50);
	(void)counted_site(&other_class, &traces[0], 1, 1, 50);
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.row_count, 3);
	ck_assert_ptr_eq(times.rows[0].trace, &traces[0]);
	ck_assert_ptr_eq(times.rows[1].class, &lock_class);
	ck_assert_ptr_eq(times.rows[2].class, &other_class);
	monitor_times_free(&times);
}
END_TEST

/* More than the first allocation of rows holds. */
START_TEST(rows_grow_and_keep_the_total)
{
	enum { ROWS = 1000 };
	static struct trace many[ROWS];
	struct monitor_times times;

	for (uint32_t i = 0; i < ROWS; i++) {
		many[i].serial = 300001 + i;
		(void)counted_site(&lock_class, &many[i], 1, 1, i + 1);
	}
	ck_assert(monitor_times_collect(sites, 0.0, &times));
	ck_assert_uint_eq(times.row_count, ROWS);
	ck_assert_uint_eq(times.total_ns, (uint64_t)ROWS * (ROWS + 1) / 2);
	ck_assert_ptr_eq(times.rows[0].trace, &many[ROWS - 1]);
	ck_assert_ptr_eq(times.rows[ROWS - 1].trace, &many[0]);
	monitor_times_free(&times);
}
END_TEST

static Suite *monitor_times_suite(void)
{
	Suite *suite = suite_create("monitor_times");
	TCase *tests = tcase_create("rows");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, rows_are_sorted_by_time_and_merged_by_trace);
	tcase_add_test(tests, rows_below_the_cutoff_count_in_the_total);
	tcase_add_test(tests, each_section_starts_where_the_last_one_ended);
	tcase_add_test(tests, a_site_without_a_trace_stays_for_a_later_section);
	tcase_add_test(tests, rows_of_equal_time_are_sorted_by_trace_and_class);
	tcase_add_test(tests, rows_grow_and_keep_the_total);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_times_suite());
}
