/*
 * Tests of rules: budget files and the default patterns are parsed, their patterns match methods
 * and classes, and budgets allow exactly what they say.
 */
#include "gate/default_rules.h"
#include "gate/rules.h"
#include "run_suite.h"

#include <stdint.h>
#include <string.h>

static struct rules rules;
static char error[RULE_ERROR_MAX];

static void set_up(void)
{
	rules_init(&rules);
	error[0] = '\0';
}

static void tear_down(void)
{
	rules_free(&rules);
}

static bool parse(const char *text)
{
	return rules_parse(&rules, text, strlen(text), error);
}

START_TEST(a_budget_has_a_pattern_an_amount_and_a_unit)
{
	ck_assert(parse("# a comment\n"
	                "\n"
	                "com.acme.Cache.* +5%   # and why\r\n"
	                "com.acme.Log.write +10 calls\n"
	                "\t*Buffer +64 bytes\n"
	                "+1%"));
	ck_assert_uint_eq(rules.count, 4);
	ck_assert_str_eq(rules.rules[0].pattern, "com.acme.Cache.*");
	ck_assert(rules.rules[0].percent && rules.rules[0].calls && rules.rules[0].bytes);
	ck_assert_uint_eq(rules.rules[0].amount, 5);
	ck_assert(!rules.rules[1].percent && rules.rules[1].calls && !rules.rules[1].bytes);
	ck_assert(!rules.rules[2].calls && rules.rules[2].bytes);
	ck_assert_uint_eq(rules.rules[2].amount, 64);
	ck_assert_str_eq(rules.rules[3].pattern, "*");
}
END_TEST

START_TEST(other_lines_name_their_kind)
{
	ck_assert(parse(
	        "library java.*\ngenerated *$$Lambda*\nown com.*\nruntime a.b\nroot r\nexclude c\n"
	        "exclude-callers d.e\nthrough f\nexclude-objects byte\n"));
	for (size_t i = 0; i < rules.count; i++)
		ck_assert_uint_eq(rules.rules[i].kind, i);
	ck_assert_uint_eq(rules.count, RULE_BUDGET);
}
END_TEST

static const struct {
	const char *text;
	const char *error;
} wrong[] = {
        {"a.b\n", "line 1: "},
        {"a.b +1\nc.d 5%\n", "line 2: "},
        {"a.b +\n", "line 1: "},
        {"a.b +%\n", "line 1: "},
        {"a.b -1\n", "line 1: "},
        {"a.b +1x\n", "line 1: "},
        {"a.b +18446744073709551616\n", "line 1: "},
        {"a.b +1000001%\n", "line 1: "},
        {"a.b +1 objects\n", "line 1: "},
        {"a.b +1 calls more\n", "line 1: too many words"},
        {"calls\n", "line 1: "},
        {"a.b;c +1\n", "line 1: that is no pattern"},
        {"\n\nexclude\n", "line 3: one pattern is required"},
        {"exclude a b\n", "line 1: one pattern is required"},
};

START_TEST(a_wrong_line_is_named)
{
	ck_assert(!parse(wrong[_i].text));
	ck_assert_msg(strncmp(error, wrong[_i].error, strlen(wrong[_i].error)) == 0, "%s: %s",
	              wrong[_i].text, error);
}
END_TEST

START_TEST(a_long_pattern_is_refused)
{
	char text[FILTER_PATTERN_MAX + 8];
	memset(text, 'a', FILTER_PATTERN_MAX);
	memcpy(text + FILTER_PATTERN_MAX, " +1", 4);
	ck_assert(!parse(text));
	ck_assert(parse(text + 1));
}
END_TEST

START_TEST(a_pattern_matches_a_method_or_its_class)
{
	ck_assert(parse("exclude com.acme.App\nexclude *.run\nlibrary java.*\n"));
	ck_assert_uint_eq(rules_find(&rules, RULE_EXCLUDE, "com.acme.App.main"), 0);
	ck_assert_uint_eq(rules_find(&rules, RULE_EXCLUDE, "com.acme.Other.run"), 1);
	ck_assert_uint_eq(rules_find(&rules, RULE_EXCLUDE, "com.acme.Other.walk"), SIZE_MAX);
	ck_assert_uint_eq(rules_find(&rules, RULE_LIBRARY, "java.util.HashMap.get"), 2);
	ck_assert_uint_eq(rules_find(&rules, RULE_LIBRARY, "javax.swing.Box.of"), SIZE_MAX);
	ck_assert(rules_have(&rules, RULE_LIBRARY));
	ck_assert(!rules_have(&rules, RULE_OWN));
}
END_TEST

static const struct {
	uint64_t amount;
	bool percent;
	uint64_t old_count;
	uint64_t new_count;
	bool allowed;
} budgets[] = {
        {0, true, 10, 10, true},
        {0, true, 10, 9, true},
        {0, true, 10, 11, false},
        {0, false, 10, 11, false},
        {1, false, 10, 11, true},
        {1, false, 10, 12, false},
        {10, true, 10, 11, true},
        {10, true, 10, 12, false},
        {10, true, 9, 10, false},
        {1, true, 199, 200, true},
        {1, true, 199, 201, false},
        {100, true, 0, 1, false},
        {50, true, 250, 375, true},
        {50, true, 250, 376, false},
        {100, true, UINT64_MAX / 2, UINT64_MAX - 1, true},
        {99, true, UINT64_MAX / 2, UINT64_MAX - 1, false},
        {1000000, true, UINT64_MAX - 5, UINT64_MAX, true},
        {UINT64_MAX, false, 0, UINT64_MAX, true},
};

START_TEST(a_budget_allows_what_it_says)
{
	const struct rule rule = {.amount = budgets[_i].amount, .percent = budgets[_i].percent};
	ck_assert_msg(rule_allows(&rule, budgets[_i].old_count, budgets[_i].new_count) ==
	                      budgets[_i].allowed,
	              "case %d", _i);
}
END_TEST

START_TEST(the_default_patterns_are_valid)
{
	ck_assert_msg(rules_parse(&rules, (const char *)gate_patterns, gate_patterns_length, error),
	              "%s", error);
	ck_assert_uint_ne(rules_find(&rules, RULE_LIBRARY, "java.lang.String.length"), SIZE_MAX);
	ck_assert_uint_eq(rules_find(&rules, RULE_LIBRARY, "org.acme.App.main"), SIZE_MAX);
	ck_assert_uint_ne(rules_find(&rules, RULE_ROOT, "org.acme.App.<clinit>"), SIZE_MAX);
	ck_assert_uint_ne(rules_find(&rules, RULE_GENERATED, "org.App$$Lambda/0x12.run"), SIZE_MAX);
	ck_assert_uint_eq(rules_find(&rules, RULE_GENERATED, "org.App.lambda$main$0"), SIZE_MAX);
}
END_TEST

static Suite *rules_suite(void)
{
	Suite *suite = suite_create("rules");
	TCase *tests = tcase_create("rules");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_budget_has_a_pattern_an_amount_and_a_unit);
	tcase_add_test(tests, other_lines_name_their_kind);
	tcase_add_loop_test(tests, a_wrong_line_is_named, 0, sizeof(wrong) / sizeof(wrong[0]));
	tcase_add_test(tests, a_long_pattern_is_refused);
	tcase_add_test(tests, a_pattern_matches_a_method_or_its_class);
	tcase_add_loop_test(tests, a_budget_allows_what_it_says, 0,
	                    sizeof(budgets) / sizeof(budgets[0]));
	tcase_add_test(tests, the_default_patterns_are_valid);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(rules_suite());
}
