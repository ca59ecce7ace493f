/*
 * Tests of names that match an expression. Most of what it is for is tested in views_test.c.
 */
#include "run_suite.h"

#include "report/name_matcher.h"

#include <string.h>

static struct string_table *strings;
static struct name_matcher matcher;
static struct os_regex *regex;

static void set_up(void)
{
	strings = string_table_create();
	regex = NULL;
	name_matcher_init(&matcher, NULL);
}

static void tear_down(void)
{
	name_matcher_free(&matcher);
	os_regex_free(regex);
	string_table_destroy(strings);
}

static bool matches(const char *name)
{
	return name_matcher_matches(&matcher, string_table_intern(strings, name, strlen(name)));
}

START_TEST(nothing_matches_without_an_expression)
{
	ck_assert(!matches(""));
	ck_assert(!matches("a"));
	ck_assert(!name_matcher_matches(&matcher, NULL));
}
END_TEST

START_TEST(names_match_the_same_each_time)
{
	char error[OS_ERROR_TEXT_MAX];

	if (os_regex_compile("^a[.]b$", &regex, error, sizeof(error)) != 0)
		return; /* this system has none */
	name_matcher_init(&matcher, regex);
	for (int round = 0; round < 2; round++) {
		ck_assert(!matches("a.bc"));
		ck_assert(matches("a.b"));
		ck_assert(!matches("a-b"));
		ck_assert(!name_matcher_matches(&matcher, NULL));
	}
	ck_assert(!matcher.out_of_memory);
}
END_TEST

static Suite *name_matcher_suite(void)
{
	Suite *suite = suite_create("name_matcher");
	TCase *tests = tcase_create("names");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, nothing_matches_without_an_expression);
	tcase_add_test(tests, names_match_the_same_each_time);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(name_matcher_suite());
}
