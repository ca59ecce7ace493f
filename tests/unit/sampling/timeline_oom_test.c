/*
 * Test of the samples by trace and time without memory.
 */
#include "failing_allocation.h"
#include "sampling/timeline.h"
#include "run_suite.h"

static struct timeline timeline;

static bool add(uint32_t number, uint64_t ms)
{
	static struct trace traces[4096];
	traces[number].serial = TRACE_SERIAL_EMPTY + number;
	return timeline_add(&timeline, &traces[number], ms * 1000000, 1);
}

static uint64_t sum(void)
{
	size_t count;
	uint64_t samples = 0;
	const struct sample_time_row *rows = timeline_rows(&timeline, &count);

	for (size_t i = 0; i < count; i++)
		samples += rows[i].count;
	return samples;
}

START_TEST(what_can_not_be_added_is_not)
{
	timeline_restart(&timeline, 4096, 0, 0);
	for (unsigned first = 1; first <= 2; first++) {
		fail_allocations(first, first);
		bool added = add(0, 0);
		ck_assert(stop_failing());
		ck_assert(!added);
		ck_assert_uint_eq(sum(), 0);
	}
	for (uint64_t ms = 0; ms < 102400; ms += 100)
		ck_assert(add(0, ms));
	fail_allocations(1, UINT32_MAX);
	bool beyond = add(0, 102400);
	bool far = add(4000, 0);
	bool latest = add(0, 102399);
	ck_assert(stop_failing());
	ck_assert(!beyond && !far);
	ck_assert(latest);
	ck_assert_uint_eq(sum(), 1025);
	ck_assert(add(0, 102400));
	ck_assert(add(4000, 0));
	ck_assert_uint_eq(sum(), 1027);
	timeline_free(&timeline);
}
END_TEST

START_TEST(rows_are_sorted_without_memory_for_a_copy)
{
	timeline_restart(&timeline, 4096, 0, 0);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert(add(2 * i, 0));
	ck_assert_uint_eq(sum(), 100);
	for (uint32_t i = 0; i < 150; i++)
		ck_assert(add(i, 0));
	ck_assert(add(7, 300));
	fail_allocations(1, UINT32_MAX);
	size_t count;
	const struct sample_time_row *rows = timeline_rows(&timeline, &count);
	ck_assert(stop_failing());
	for (size_t i = 1; i < count; i++)
		ck_assert(rows[i - 1].trace->serial < rows[i].trace->serial ||
		          rows[i - 1].bucket < rows[i].bucket);
	ck_assert_uint_eq(sum(), 251);
	timeline_free(&timeline);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timeline_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, what_can_not_be_added_is_not);
	tcase_add_test(tests, rows_are_sorted_without_memory_for_a_copy);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
