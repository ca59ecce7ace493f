/*
 * Tests of the counters per trace.
 */
#include "sampling/trace_counts.h"
#include "run_suite.h"

#include <stdlib.h>

static struct trace_counts counts;

static void free_counts(void)
{
	trace_counts_free(&counts);
}

static void add(uint32_t number, uint64_t count)
{
	const struct trace trace = {.serial = TRACE_SERIAL_EMPTY + number};
	ck_assert(trace_counts_add(&counts, &trace, count));
}

START_TEST(counts_of_a_trace_add_up)
{
	add(0, 1);
	add(5, 10);
	add(0, 2);
	add(5, UINT64_C(1) << 60);
	ck_assert_uint_eq(counts.counts[0], 3);
	ck_assert_uint_eq(counts.counts[5], (UINT64_C(1) << 60) + 10);
}
END_TEST

START_TEST(traces_without_counts_have_0)
{
	add(700, 1);
	ck_assert_uint_gt(counts.capacity, 700);
	for (size_t i = 0; i < counts.capacity; i++)
		ck_assert_uint_eq(counts.counts[i], i == 700 ? 1 : 0);
}
END_TEST

START_TEST(counts_are_kept_when_the_array_grows)
{
	static const uint32_t numbers[] = {1, 1023, 1024, 1025, 5000, 70000, 1000000};
	size_t length = sizeof(numbers) / sizeof(numbers[0]);

	for (size_t i = 0; i < length; i++)
		add(numbers[i], i + 1);
	uint64_t sum = 0;
	for (size_t i = 0; i < counts.capacity; i++)
		sum += counts.counts[i];
	for (size_t i = 0; i < length; i++)
		ck_assert_uint_eq(counts.counts[numbers[i]], i + 1);
	ck_assert_uint_eq(sum, length * (length + 1) / 2);
}
END_TEST

START_TEST(cleared_counts_are_0_and_counting_continues)
{
	trace_counts_clear(&counts); /* still empty */
	add(3, 1);
	add(3000, 1);
	size_t capacity = counts.capacity;
	trace_counts_clear(&counts);
	ck_assert_uint_eq(counts.capacity, capacity);
	for (size_t i = 0; i < capacity; i++)
		ck_assert_uint_eq(counts.counts[i], 0);
	add(3, 4);
	ck_assert_uint_eq(counts.counts[3], 4);
}
END_TEST

START_TEST(freed_counts_are_empty_and_usable)
{
	trace_counts_free(&counts);
	add(1, 1);
	trace_counts_free(&counts);
	ck_assert_uint_eq(counts.capacity, 0);
	add(1, 2);
	ck_assert_uint_eq(counts.counts[1], 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_counts");
	TCase *tests = tcase_create("counts");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, NULL, free_counts);
	tcase_add_test(tests, counts_of_a_trace_add_up);
	tcase_add_test(tests, traces_without_counts_have_0);
	tcase_add_test(tests, counts_are_kept_when_the_array_grows);
	tcase_add_test(tests, cleared_counts_are_0_and_counting_continues);
	tcase_add_test(tests, freed_counts_are_empty_and_usable);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
