/*
 * Tests that each allocation of the merge of a heap dump may fail: the failure is reported and
 * nothing leaks, which the address sanitizer checks.
 */
#include "failing_allocation.h"
#include "dump_merge_fixture.h"
#include "run_suite.h"

static unsigned failing; /* the allocation that fails */
static unsigned until;   /* and those up to this one */
static bool has_failed;

static void arm(void)
{
	fail_allocations(failing, until);
}

static void disarm(void)
{
	has_failed = stop_failing();
}

static void fail_each(const struct record_format *format, bool all_after)
{
	before_merge = arm;
	after_merge = disarm;
	has_failed = true;
	for (failing = 1; has_failed; failing++) {
		/* Start each time with empty tables of the model. */
		model_destroy(&model);
		ck_assert(model_init(&model));
		until = all_after ? UINT32_MAX : failing;
		int error = merge_all(format);
		ck_assert_msg(!has_failed || error == OS_NO_MEMORY || writing_error == OS_NO_MEMORY,
		              "allocation %u: error %d, the writer's %d", failing, error,
		              writing_error);
		if (!has_failed)
			ck_assert(error == 0 && writing_error == 0);
	}
	/* At least the lists, the maps and the dump itself allocate. */
	ck_assert_uint_gt(failing, 30);
}

START_TEST(each_failing_allocation_is_reported)
{
	fail_each(&record_format_text, false);
	fail_each(&record_format_binary_segments, false);
}
END_TEST

START_TEST(lasting_lack_of_memory_is_reported)
{
	fail_each(&record_format_text, true);
	fail_each(&record_format_binary_segments, true);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dump_merge without memory");
	TCase *tests = tcase_create("oom");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, each_failing_allocation_is_reported);
	tcase_add_test(tests, lasting_lack_of_memory_is_reported);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
