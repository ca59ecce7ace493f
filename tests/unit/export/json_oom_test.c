/*
 * Tests that each allocation of the JSON formats may fail: the failure is reported and nothing
 * leaks, which the address sanitizer checks.
 */
#include "failing_allocation.h"
#include "run_suite.h"
#include "stack_fixture.h"

#include "export/firefox.h"
#include "export/speedscope.h"

#include <jansson.h>
#include <stdlib.h>

/* The library's own allocations, too. */
static void *allocate(size_t size)
{
	return malloc(size);
}

static bool write_speedscope(void)
{
	return stack_profile_write_speedscope(&stacks, "name", &stack_output);
}

static bool write_firefox(void)
{
	return stack_profile_write_firefox(&stacks, &stack_output);
}

static void fail_each(bool (*write)(void))
{
	bool failed = true;
	unsigned number = 0;

	json_set_alloc_funcs(allocate, free);
	while (failed) {
		number++;
		fail_allocations(number, number);
		bool good = stack_set_up();
		stacks.threads = true;
		good = good && stack_read(stack_text) && write();
		failed = stop_failing();
		stack_tear_down();
		ck_assert_msg(good != failed, "allocation %u", number);
	}
	ck_assert_uint_gt(number, 100);
}

START_TEST(speedscope_reports_each_failing_allocation)
{
	fail_each(write_speedscope);
}
END_TEST

START_TEST(firefox_reports_each_failing_allocation)
{
	fail_each(write_firefox);
}
END_TEST

static Suite *json_oom_suite(void)
{
	Suite *suite = suite_create("json_oom");
	TCase *tests = tcase_create("allocations");
	tcase_add_test(tests, speedscope_reports_each_failing_allocation);
	tcase_add_test(tests, firefox_reports_each_failing_allocation);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(json_oom_suite());
}
