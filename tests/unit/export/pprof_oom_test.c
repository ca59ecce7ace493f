/*
 * Tests that each allocation of the format of pprof may fail: the failure is reported and nothing
 * leaks, which the address sanitizer checks.
 */
#include "failing_allocation.h"
#include "run_suite.h"
#include "stack_fixture.h"

#include "export/pprof.h"

START_TEST(each_failing_allocation_is_reported)
{
	bool failed = true;
	unsigned number = 0;

	while (failed) {
		number++;
		fail_allocations(number, number);
		bool good = stack_set_up() && stack_read(stack_text) &&
		            stack_profile_write_pprof(&stacks, &stack_output);
		failed = stop_failing();
		stack_tear_down();
		ck_assert_msg(good != failed, "allocation %u", number);
	}
	ck_assert_uint_gt(number, 30);
}
END_TEST

static Suite *pprof_oom_suite(void)
{
	Suite *suite = suite_create("pprof_oom");
	TCase *tests = tcase_create("allocations");
	tcase_add_test(tests, each_failing_allocation_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(pprof_oom_suite());
}
