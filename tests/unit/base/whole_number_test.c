/*
 * Test of whole numbers that a user wrote.
 */
#include "base/whole_number.h"
#include "run_suite.h"

#include <limits.h>
#include <stddef.h>

static long long parsed(const char *text, long long minimum, long long maximum)
{
	long long number;
	return whole_number_parse(text, minimum, maximum, &number) ? number : -1;
}

START_TEST(digits_within_the_limits_are_a_number)
{
	ck_assert_int_eq(parsed("0", 0, 9), 0);
	ck_assert_int_eq(parsed("9", 0, 9), 9);
	ck_assert_int_eq(parsed("007", 7, 7), 7);
	ck_assert_int_eq(parsed("9223372036854775807", 1, LLONG_MAX), LLONG_MAX);
}
END_TEST

START_TEST(numbers_outside_the_limits_are_refused)
{
	ck_assert_int_eq(parsed("0", 1, 9), -1);
	ck_assert_int_eq(parsed("10", 1, 9), -1);
	ck_assert_int_eq(parsed("9223372036854775808", 0, LLONG_MAX), -1);
}
END_TEST

START_TEST(anything_but_digits_is_refused)
{
	static const char *const texts[] = {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "1k", "a"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(parsed(texts[i], 0, 9) == -1, "\"%s\" is a number", texts[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("whole_number");
	TCase *tests = tcase_create("numbers");

	tcase_add_test(tests, digits_within_the_limits_are_a_number);
	tcase_add_test(tests, numbers_outside_the_limits_are_refused);
	tcase_add_test(tests, anything_but_digits_is_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
