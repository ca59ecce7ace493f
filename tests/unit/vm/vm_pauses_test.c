/*
 * Tests of counting the times that the VM stops the program.
 */
#include "judged_times.h"
#include "perf_data.h"
#include "run_suite.h"
#include "vm/vm_pauses.h"

/* In the order of data. */
enum { SAFEPOINTS, SYNCHRONIZING, STOPPED };

#define MS UINT64_C(1000000)

static struct perf_data data;
static struct vm_pauses pauses;

static void add_counters(uint64_t ticks_per_second)
{
	perf_data_init(&data);
	perf_data_add(&data, "sun.rt.safepoints", 100);
	perf_data_add(&data, "sun.rt.safepointSyncTime", 5000);
	perf_data_add(&data, "sun.rt.safepointTime", 7000);
	perf_data_add(&data, "sun.os.hrt.frequency", ticks_per_second);
	pauses.memory = data.bytes;
	pauses.length = PERF_BYTES;
}

static void set_up(void)
{
	memset(&pauses, 0, sizeof(pauses));
}

static void collect(uint64_t ns)
{
	vm_pauses_collection_started(&pauses);
	os_sleep_until(os_monotonic_ns() + ns);
	vm_pauses_collection_finished(&pauses);
}

START_TEST(without_counters_only_collections_are_counted)
{
	collect(2 * MS);
	vm_pauses_find(&pauses);
	struct vm_pauses_reading reading = vm_pauses_read(&pauses);

	ck_assert(!vm_pauses_has_safepoints(&pauses));
	ck_assert_uint_eq(reading.count, 1);
	ck_assert_uint_gt(reading.collected_ns, 0);
	CHECK_TIME(reading.collected_ns >= 2 * MS, "%.3f ms of collections",
	           (double)reading.collected_ns / 1e6);
	ck_assert_uint_eq(reading.safepoint_ns, 0);
}
END_TEST

START_TEST(what_was_before_the_counters_were_found_does_not_count)
{
	add_counters(1000000);
	vm_pauses_find(&pauses);
	struct vm_pauses_reading reading = vm_pauses_read(&pauses);

	ck_assert(vm_pauses_has_safepoints(&pauses));
	ck_assert_uint_eq(reading.count, 0);
	ck_assert_uint_eq(reading.safepoint_ns, 0);
}
END_TEST

START_TEST(safepoints_count_with_the_time_to_reach_them)
{
	add_counters(1000000);
	vm_pauses_find(&pauses);
	perf_data_set(&data, SAFEPOINTS, 102);
	perf_data_set(&data, SYNCHRONIZING, 5300);
	perf_data_set(&data, STOPPED, 7007);
	struct vm_pauses_reading reading = vm_pauses_read(&pauses);

	ck_assert_uint_eq(reading.count, 2);
	ck_assert_uint_eq(reading.safepoint_ns, 307000);
}
END_TEST

/* Each is a safepoint: threads that counted collections go on from that number. */
START_TEST(collections_until_then_are_not_lost_and_later_ones_not_twice)
{
	collect(0);
	collect(0);
	add_counters(1000000);
	vm_pauses_find(&pauses);
	ck_assert_uint_eq(vm_pauses_read(&pauses).count, 2);
	collect(0);
	perf_data_set(&data, SAFEPOINTS, 101);
	ck_assert_uint_eq(vm_pauses_read(&pauses).count, 3);
}
END_TEST

START_TEST(counters_that_come_later_are_found_then)
{
	add_counters(1000000);
	perf_data_put(&data, PERF_COUNT, 3);
	vm_pauses_find(&pauses);
	ck_assert(!vm_pauses_has_safepoints(&pauses));
	perf_data_put(&data, PERF_COUNT, 4);
	vm_pauses_find(&pauses);
	ck_assert(vm_pauses_has_safepoints(&pauses));
}
END_TEST

START_TEST(a_clock_without_a_rate_is_not_used)
{
	add_counters(0);
	vm_pauses_find(&pauses);
	ck_assert(!vm_pauses_has_safepoints(&pauses));
}
END_TEST

/* A year of ticks at 10 GHz, in ns, is more than 64 bits hold. */
START_TEST(long_times_do_not_overflow)
{
	add_counters(UINT64_C(10000000000));
	vm_pauses_find(&pauses);
	perf_data_set(&data, STOPPED, 7000 + UINT64_C(86400) * 365 * UINT64_C(10000000000));
	ck_assert_uint_eq(vm_pauses_read(&pauses).safepoint_ns,
	                  UINT64_C(86400) * 365 * UINT64_C(1000000000));
}
END_TEST

static Suite *vm_pauses_suite(void)
{
	Suite *suite = suite_create("vm_pauses");
	TCase *tc = tcase_create("vm_pauses");
	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, without_counters_only_collections_are_counted);
	tcase_add_test(tc, what_was_before_the_counters_were_found_does_not_count);
	tcase_add_test(tc, safepoints_count_with_the_time_to_reach_them);
	tcase_add_test(tc, collections_until_then_are_not_lost_and_later_ones_not_twice);
	tcase_add_test(tc, counters_that_come_later_are_found_then);
	tcase_add_test(tc, a_clock_without_a_rate_is_not_used);
	tcase_add_test(tc, long_times_do_not_overflow);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(vm_pauses_suite());
}
