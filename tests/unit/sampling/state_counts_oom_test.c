/*
 * Test of the sampled time by trace and state without memory.
 */
#include "failing_allocation.h"
#include "sampling/state_counts.h"
#include "run_suite.h"

#include <stdlib.h>

static struct state_counts counts;

static bool add(uint32_t number)
{
	const struct trace trace = {.serial = TRACE_SERIAL_EMPTY + number};
	const struct state_charge charge = {.samples = 1, .ns = {[TRACE_SLP] = 10}};
	return state_counts_add(&counts, &trace, &charge);
}

START_TEST(counts_that_can_not_grow_fail_and_keep_their_times)
{
	fail_allocations(1, 1);
	bool first = add(0);
	ck_assert(stop_failing());
	ck_assert(!first);
	ck_assert_uint_eq(counts.capacity, 0);

	ck_assert(add(7));
	fail_allocations(1, UINT32_MAX);
	bool far = add(100000);
	bool near = add(7);
	ck_assert(stop_failing());
	ck_assert(!far);
	ck_assert(near);
	ck_assert_uint_eq(counts.charges[7].ns[TRACE_SLP], 20);

	ck_assert(add(100000));
	ck_assert_uint_eq(counts.charges[7].samples, 2);
	ck_assert_uint_eq(counts.charges[7].ns[TRACE_SLP], 20);
	ck_assert_uint_eq(counts.charges[100000].ns[TRACE_SLP], 10);
	state_counts_free(&counts);
}
END_TEST

START_TEST(without_memory_for_rows_there_are_none)
{
	struct trace_table *traces = trace_table_create();
	uint64_t total_ns;
	size_t row_count;

	ck_assert_ptr_nonnull(traces);
	ck_assert(add(0));
	fail_allocations(1, 1);
	const struct trace_states_row *none =
	        state_counts_rank(&counts, traces, 0, 0, &total_ns, &row_count);
	ck_assert(stop_failing());
	ck_assert_ptr_null(none);

	struct trace_states_row *rows =
	        state_counts_rank(&counts, traces, 0, 0, &total_ns, &row_count);
	ck_assert_ptr_nonnull(rows);
	ck_assert_uint_eq(row_count, 1);
	ck_assert_uint_eq(total_ns, 10);
	free(rows);
	state_counts_free(&counts);
	trace_table_destroy(traces);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("state_counts_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, counts_that_can_not_grow_fail_and_keep_their_times);
	tcase_add_test(tests, without_memory_for_rows_there_are_none);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
