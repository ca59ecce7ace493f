/*
 * Test of counters per trace without memory.
 */
#include "failing_allocation.h"
#include "sampling/trace_counts.h"
#include "run_suite.h"

static bool add(struct trace_counts *counts, uint32_t number)
{
	const struct trace trace = {.serial = TRACE_SERIAL_EMPTY + number};
	return trace_counts_add(counts, &trace, 1);
}

START_TEST(counts_that_can_not_grow_fail_and_keep_their_values)
{
	struct trace_counts counts = {0};

	fail_allocations(1, 1);
	bool first = add(&counts, 0);
	ck_assert(stop_failing());
	ck_assert(!first);
	ck_assert_uint_eq(counts.capacity, 0);

	ck_assert(add(&counts, 7));
	fail_allocations(1, UINT32_MAX);
	bool far = add(&counts, 1000000);
	bool near = add(&counts, 7);
	ck_assert(stop_failing());
	ck_assert(!far);
	ck_assert(near);
	ck_assert_uint_eq(counts.counts[7], 2);

	ck_assert(add(&counts, 1000000));
	ck_assert_uint_eq(counts.counts[7], 2);
	ck_assert_uint_eq(counts.counts[1000000], 1);
	trace_counts_free(&counts);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_counts_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, counts_that_can_not_grow_fail_and_keep_their_values);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
