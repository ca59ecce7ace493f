/*
 * Tests of the selection and order of rows of sites.
 */
#include "alloc/site_rows.h"

#include "run_suite.h"

#include <string.h>

enum { ROWS = 5 };

static struct trace traces[ROWS];
static struct class_record classes[ROWS];
static struct site_row rows[ROWS];
static struct sites_record record;

/* Row i: live, allocated. Traces are numbered in reverse. */
static void set_rows(const uint64_t bytes[ROWS][2])
{
	memset(&record, 0, sizeof(record));
	for (uint32_t i = 0; i < ROWS; i++) {
		traces[i].serial = TRACE_SERIAL_EMPTY + ROWS - i;
		classes[i].serial = CLASS_SERIAL_BASE + i;
		rows[i] = (struct site_row){.live_bytes = bytes[i][0],
		                            .allocated_bytes = bytes[i][1],
		                            .trace = &traces[i],
		                            .class = &classes[i]};
		record.sums.live_bytes += bytes[i][0];
		record.sums.allocated_bytes += bytes[i][1];
	}
}

/* Numbers are those of set_rows(). */
static void expect(size_t count, const int *numbers)
{
	site_rows_rank(&record, rows, ROWS);
	ck_assert_uint_eq(record.row_count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_ptr_eq(record.rows[i].class, &classes[numbers[i]]);
}

static const uint64_t mixed[ROWS][2] = {{10, 500}, {40, 40}, {0, 200}, {40, 60}, {10, 200}};

START_TEST(live_bytes_come_first_then_allocated_ones)
{
	set_rows(mixed);
	expect(5, (const int[]){3, 1, 0, 4, 2});
}
END_TEST

START_TEST(by_allocation_ties_go_by_trace)
{
	set_rows(mixed);
	record.by_allocation = true;
	expect(5, (const int[]){0, 4, 2, 3, 1});
}
END_TEST

START_TEST(ties_at_one_trace_go_by_class)
{
	static const uint64_t equal[ROWS][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
	set_rows(equal);
	for (int i = 0; i < ROWS; i++)
		rows[i].trace = &traces[0];
	expect(5, (const int[]){0, 1, 2, 3, 4});
}
END_TEST

START_TEST(cutoff_is_a_share_of_the_ordering_sum)
{
	set_rows(mixed);
	record.cutoff = 0.1; /* of 100 live bytes: rows of 10 stay */
	expect(4, (const int[]){3, 1, 0, 4});
	set_rows(mixed);
	record.by_allocation = true;
	record.cutoff = 0.1; /* of 1000 allocated bytes */
	expect(3, (const int[]){0, 4, 2});
}
END_TEST

START_TEST(without_bytes_all_rows_stay)
{
	static const uint64_t none[ROWS][2] = {{0}};
	set_rows(none);
	record.cutoff = 0.5;
	expect(5, (const int[]){4, 3, 2, 1, 0});
}
END_TEST

static Suite *site_rows_suite(void)
{
	Suite *suite = suite_create("site_rows");
	TCase *tests = tcase_create("site_rows");
	tcase_add_test(tests, live_bytes_come_first_then_allocated_ones);
	tcase_add_test(tests, by_allocation_ties_go_by_trace);
	tcase_add_test(tests, ties_at_one_trace_go_by_class);
	tcase_add_test(tests, cutoff_is_a_share_of_the_ordering_sum);
	tcase_add_test(tests, without_bytes_all_rows_stay);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(site_rows_suite());
}
