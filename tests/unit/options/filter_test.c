/*
 * Tests of include= and exclude= patterns.
 */
#include "judged_times.h"
#include "options/filter.h"
#include "run_suite.h"

#include <string.h>
#include <time.h>

static struct filter filter;

static void set_up(void)
{
	memset(&filter, 0, sizeof(filter));
}

static bool add(struct filter_patterns *patterns, const char *pattern)
{
	return filter_add(patterns, pattern, strlen(pattern));
}

static const struct {
	const char *pattern;
	const char *class_name;
	const char *method_name;
	bool matches;
} cases[] = {
        {"com.foo.Bar", "com.foo.Bar", "baz", true},
        {"com.foo.Bar", "com.foo.Bar", "<init>", true},
        {"com.foo.Bar", "com.foo.Bar$Inner", "baz", false},
        {"com.foo.Bar", "com.foo.Barn", "baz", false},
        {"com.foo.Bar", "com.foo.Ba", "r", false},
        {"com.foo.Bar", "xcom.foo.Bar", "baz", false},
        {"com.foo.Bar", "com.foo", "Bar", true}, /* a method Bar of a class foo */
        {"com.foo.Bar.baz", "com.foo.Bar", "baz", true},
        {"com.foo.Bar.baz", "com.foo.Bar", "bazz", false},
        {"com.foo.Bar.baz", "com.foo.Bar", "ba", false},
        {"com.foo.*", "com.foo.Bar", "baz", true},
        {"com.foo.*", "com.foo.bar.Baz", "x", true},
        {"com.foo.*", "com.fool.Bar", "baz", false},
        {"com.foo.*", "com.foo", "baz", true},
        {"com.foo*", "com.fool.Bar", "baz", true},
        {"*", "A", "b", true},
        {"**", "A", "b", true},
        {"*.toString", "com.foo.Bar", "toString", true},
        {"*.toString", "com.foo.Bar", "toStrings", false},
        {"*.toString", "toString", "x", false},
        {"*oo*a*", "com.foo.Bar", "baz", true},
        {"*z", "com.foo.Bar", "baz", true},
        {"*z", "com.foo.Bar", "bar", false},
        {"c*r.b*z", "com.foo.Bar", "baz", true},
        {"c*r.b*z", "com.foo.Bar", "bar", false},
        {"com.*.Bar.<init>", "com.foo.Bar", "<init>", true},
        {"com.*.Bar.<init>", "com.foo.Bar", "<clinit>", false},
        {"COM.foo.Bar", "com.foo.Bar", "baz", false},
        {"a*a", "a", "b", false},
        {"a.b", "a", "b", true},
        {"a?b", "a", "b", false},
        {"[ab]", "a", "b", false},
};

START_TEST(a_pattern_matches_what_it_says)
{
	/* A pattern that is refused matches nothing either. */
	bool added = add(&filter.include, cases[_i].pattern);
	bool seen = added && filter_accepts(&filter, cases[_i].class_name, cases[_i].method_name);
	ck_assert_msg(seen == cases[_i].matches, "%s on %s and %s: %d", cases[_i].pattern,
	              cases[_i].class_name, cases[_i].method_name, seen);
}
END_TEST

START_TEST(without_patterns_all_is_in)
{
	ck_assert(!filter_is_set(&filter));
	ck_assert(filter_accepts(&filter, "com.foo.Bar", "baz"));
}
END_TEST

START_TEST(one_include_of_many_is_enough)
{
	ck_assert(add(&filter.include, "a.*"));
	ck_assert(add(&filter.include, "b.*"));
	ck_assert(filter_is_set(&filter));
	ck_assert(filter_accepts(&filter, "a.A", "x"));
	ck_assert(filter_accepts(&filter, "b.B", "x"));
	ck_assert(!filter_accepts(&filter, "c.C", "x"));
}
END_TEST

START_TEST(one_exclude_is_stronger_than_any_include)
{
	ck_assert(add(&filter.exclude, "*.x"));
	ck_assert(filter_is_set(&filter));
	ck_assert(filter_accepts(&filter, "a.A", "y"));
	ck_assert(add(&filter.include, "a.A"));
	ck_assert(add(&filter.include, "a.A.x"));
	ck_assert(!filter_accepts(&filter, "a.A", "x"));
	ck_assert(filter_accepts(&filter, "a.A", "y"));
	ck_assert(!filter_accepts(&filter, "b.B", "y"));
}
END_TEST

START_TEST(patterns_that_no_name_has_are_refused)
{
	static const char *const bad[] = {"", " ", "a b", "a\tb", "a;b", "[a", "a\nb", "\x01"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!add(&filter.include, bad[i]), "taken: '%s'", bad[i]);
	ck_assert_uint_eq(filter.include.count, 0);
}
END_TEST

START_TEST(names_in_other_scripts_are_taken)
{
	ck_assert(add(&filter.include, "größe.日本"));
	ck_assert(filter_accepts(&filter, "größe", "日本"));
}
END_TEST

START_TEST(a_pattern_ends_where_its_length_says)
{
	ck_assert(filter_add(&filter.include, "com.foo.Bar,exclude=x", 11));
	ck_assert(filter_accepts(&filter, "com.foo.Bar", "baz"));
}
END_TEST

START_TEST(the_longest_pattern_is_taken_and_a_longer_one_is_not)
{
	char longest[FILTER_PATTERN_MAX + 1];

	memset(longest, 'a', sizeof(longest));
	ck_assert(!filter_add(&filter.include, longest, FILTER_PATTERN_MAX));
	ck_assert(filter_add(&filter.include, longest, FILTER_PATTERN_MAX - 1));
	longest[FILTER_PATTERN_MAX - 1] = '\0';
	ck_assert(filter_accepts(&filter, longest, "x"));
}
END_TEST

START_TEST(there_is_a_limit_to_the_number_of_patterns)
{
	for (int i = 0; i < FILTER_PATTERNS_MAX; i++)
		ck_assert(add(&filter.exclude, "a"));
	ck_assert(!add(&filter.exclude, "b"));
	ck_assert(filter_accepts(&filter, "b", "x"));
	ck_assert(add(&filter.include, "b"));
}
END_TEST

START_TEST(many_stars_do_not_take_long)
{
	char pattern[FILTER_PATTERN_MAX];
	char name[4001];

	for (size_t i = 0; i + 2 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[sizeof(pattern) - 2] = 'b';
	pattern[sizeof(pattern) - 1] = '\0';
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert(add(&filter.include, pattern));
	clock_t start = clock();
	ck_assert(!filter_accepts(&filter, name, "a"));
	double took = (double)(clock() - start) / CLOCKS_PER_SEC;
	CHECK_TIME(took < 0.5, "took %.3f s", took);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("filter");
	TCase *tests = tcase_create("filter");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_loop_test(tests, a_pattern_matches_what_it_says, 0,
	                    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tests, without_patterns_all_is_in);
	tcase_add_test(tests, one_include_of_many_is_enough);
	tcase_add_test(tests, one_exclude_is_stronger_than_any_include);
	tcase_add_test(tests, patterns_that_no_name_has_are_refused);
	tcase_add_test(tests, names_in_other_scripts_are_taken);
	tcase_add_test(tests, a_pattern_ends_where_its_length_says);
	tcase_add_test(tests, the_longest_pattern_is_taken_and_a_longer_one_is_not);
	tcase_add_test(tests, there_is_a_limit_to_the_number_of_patterns);
	tcase_add_test(tests, many_stars_do_not_take_long);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
