/*
 * Tests of the table that ranks traces by cost.
 */
#include "sampling/cost_table.h"
#include "run_suite.h"

#include <check.h>

static struct cost_table *table;
static struct trace traces[1000];

static void make_table(void)
{
	table = cost_table_create();
	ck_assert_ptr_nonnull(table);
	for (uint32_t i = 0; i < 1000; i++)
		traces[i].serial = TRACE_SERIAL_EMPTY + i;
}

static void destroy_table(void)
{
	cost_table_destroy(table);
}

static void add(unsigned trace, uint64_t count)
{
	ck_assert(cost_table_add(table, &traces[trace], count));
}

static void expect_row(const struct cost_row *row, unsigned trace, uint64_t count)
{
	ck_assert_uint_eq(row->trace->serial, TRACE_SERIAL_EMPTY + trace);
	ck_assert_uint_eq(row->count, count);
}

START_TEST(rows_are_sorted_by_count_then_by_trace)
{
	size_t count = 0;

	add(7, 5);
	add(3, 9);
	add(5, 5);
	add(1, 1);
	const struct cost_row *rows = cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, 4);
	expect_row(&rows[0], 3, 9);
	expect_row(&rows[1], 5, 5);
	expect_row(&rows[2], 7, 5);
	expect_row(&rows[3], 1, 1);
	ck_assert_uint_eq(cost_table_total(table), 20);
}
END_TEST

START_TEST(costs_of_one_trace_are_merged_into_one_row)
{
	size_t count = 0;

	add(2, 3);
	add(1, 4);
	add(2, 2);
	const struct cost_row *rows = cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, 2);
	expect_row(&rows[0], 2, 5);
	expect_row(&rows[1], 1, 4);

	add(1, 10);
	rows = cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, 2);
	expect_row(&rows[0], 1, 14);
	expect_row(&rows[1], 2, 5);
	ck_assert_uint_eq(cost_table_total(table), 19);
}
END_TEST

START_TEST(rows_below_the_cutoff_are_omitted_but_count_in_the_total)
{
	size_t count = 0;

	add(1, 50);
	add(2, 25);
	add(3, 24);
	add(4, 1);
	cost_table_rank(table, 0.25, &count);
	ck_assert_uint_eq(count, 2); /* a share equal to the cutoff is kept */
	cost_table_rank(table, 0.251, &count);
	ck_assert_uint_eq(count, 1);
	cost_table_rank(table, 1.0, &count);
	ck_assert_uint_eq(count, 0);
	cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, 4);
	ck_assert_uint_eq(cost_table_total(table), 100);
}
END_TEST

START_TEST(a_count_of_zero_adds_no_row)
{
	size_t count = 1;

	add(1, 0);
	cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, 0);
	ck_assert_uint_eq(cost_table_total(table), 0);
}
END_TEST

START_TEST(sums_saturate)
{
	size_t count = 0;

	add(1, UINT64_MAX - 1);
	add(1, 2);
	const struct cost_row *rows = cost_table_rank(table, 0, &count);
	expect_row(&rows[0], 1, UINT64_MAX);
	ck_assert_uint_eq(cost_table_total(table), UINT64_MAX);
}
END_TEST

START_TEST(many_rows_are_all_kept)
{
	size_t count = 0;

	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i < 1000; i++)
			add(i * 7 % 1000, i + 1);
	const struct cost_row *rows = cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, 1000);
	for (unsigned i = 0; i < 1000; i++)
		expect_row(&rows[i], (999 - i) * 7 % 1000, 3 * (1000 - (uint64_t)i));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output_cost");
	TCase *cost = tcase_create("cost_table");

	tcase_add_checked_fixture(cost, make_table, destroy_table);
	tcase_add_test(cost, rows_are_sorted_by_count_then_by_trace);
	tcase_add_test(cost, costs_of_one_trace_are_merged_into_one_row);
	tcase_add_test(cost, rows_below_the_cutoff_are_omitted_but_count_in_the_total);
	tcase_add_test(cost, a_count_of_zero_adds_no_row);
	tcase_add_test(cost, sums_saturate);
	tcase_add_test(cost, many_rows_are_all_kept);
	suite_add_tcase(suite, cost);
	return run_suite(suite);
}
