/*
 * Test of lengths of time that a user wrote.
 */
#include "base/time_span.h"
#include "run_suite.h"

#include <limits.h>
#include <stddef.h>

static long long parsed(const char *text, long long maximum)
{
	long long seconds;
	return time_span_parse(text, maximum, &seconds) ? seconds : -1;
}

START_TEST(a_number_is_of_seconds)
{
	ck_assert_int_eq(parsed("0", 9), 0);
	ck_assert_int_eq(parsed("30", 30), 30);
	ck_assert_int_eq(parsed("9223372036854775807", LLONG_MAX), LLONG_MAX);
}
END_TEST

START_TEST(a_unit_may_follow)
{
	ck_assert_int_eq(parsed("0h", 9), 0);
	ck_assert_int_eq(parsed("30s", 30), 30);
	ck_assert_int_eq(parsed("5m", 300), 300);
	ck_assert_int_eq(parsed("2h", 7200), 7200);
	ck_assert_int_eq(parsed("9223372036854775807s", LLONG_MAX), LLONG_MAX);
}
END_TEST

START_TEST(more_than_the_maximum_is_refused)
{
	ck_assert_int_eq(parsed("31s", 30), -1);
	ck_assert_int_eq(parsed("5m", 299), -1);
	ck_assert_int_eq(parsed("2h", 7199), -1);
	ck_assert_int_eq(parsed("9223372036854775807h", LLONG_MAX), -1);
	ck_assert_int_eq(parsed("9223372036854775808s", LLONG_MAX), -1);
	ck_assert_int_eq(parsed("000000000000000000000000001s", LLONG_MAX), -1);
}
END_TEST

START_TEST(anything_else_is_refused)
{
	static const char *const texts[] = {"",    "s",    "m",  " 1",  "1 ",  "1 s", "+1s",  "-1",
	                                    "1.0", "1.5h", "1d", "1ss", "1ms", "1S",  "1m30s"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(parsed(texts[i], LLONG_MAX) == -1, "\"%s\" is a time", texts[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("time_span");
	TCase *tests = tcase_create("times");

	tcase_add_test(tests, a_number_is_of_seconds);
	tcase_add_test(tests, a_unit_may_follow);
	tcase_add_test(tests, more_than_the_maximum_is_refused);
	tcase_add_test(tests, anything_else_is_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
