/*
 * Tests of traces without a stack: one frame that names the reason, one trace for a reason
 * and thread.
 */
#include "vm/stackless.h"

#include "profile_fixture.h"
#include "run_suite.h"

static struct stackless stackless;

static void set_up(void)
{
	profile_set_up();
	stackless = (struct stackless){NULL};
}

START_TEST(frame_names_the_reason)
{
	const struct trace *trace = stackless_trace(&stackless, &profile, STACKLESS_DEPTH_0, 0);
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->depth, 1);
	const struct frame *frame = trace->frames[0];
	ck_assert_str_eq(frame->method->class->name->text, STACKLESS_CLASS);
	ck_assert_str_eq(frame->method->name->text, "depth_is_0");
	ck_assert_int_eq(frame->line, LINE_UNKNOWN);
}
END_TEST

START_TEST(reason_and_thread_have_one_trace)
{
	const struct trace *trace = stackless_trace(&stackless, &profile, "no frame", 3);
	ck_assert_uint_eq(trace->thread_serial, 3);
	ck_assert_ptr_eq(stackless_trace(&stackless, &profile, "no frame", 3), trace);
	ck_assert_uint_eq(written.traces, 1);
	ck_assert_ptr_ne(stackless_trace(&stackless, &profile, "no frame", 4), trace);
	ck_assert_ptr_ne(stackless_trace(&stackless, &profile, "other", 3), trace);
	ck_assert_uint_eq(written.traces, 3);
}
END_TEST

static Suite *stackless_suite(void)
{
	Suite *suite = suite_create("stackless");
	TCase *tests = tcase_create("traces");
	tcase_add_checked_fixture(tests, set_up, profile_tear_down);
	tcase_add_test(tests, frame_names_the_reason);
	tcase_add_test(tests, reason_and_thread_have_one_trace);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(stackless_suite());
}
