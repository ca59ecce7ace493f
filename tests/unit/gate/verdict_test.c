/*
 * Tests of the gate: two profiles become contexts of the program's methods, growth is found and
 * described, and profiles that do not allow it are refused.
 */
#include "gate_fixture.h"
#include "run_suite.h"

#include "console/input.h"
#include "gate/comparable.h"
#include "gate/verdict.h"

#include <stdio.h>
#include <string.h>

static const char default_rules[] = "library java.*\n"
                                    "generated *$$Lambda*\n"
                                    "runtime java.lang.ClassLoader.loadClass\n"
                                    "root *.<clinit>\n"
                                    "exclude *.skipped\n"
                                    "exclude-callers java.util.Salted.*\n"
                                    "through java.util.Each.*\n"
                                    "exclude-objects java.lang.Counter\n";

static struct rules rules;
static struct contexts contexts;
static struct verdict verdict;
static struct byte_buffer text;
static struct side_facts facts[SIDES];
static char refusal[REFUSAL_MAX];

static void add_rules(const char *lines)
{
	char error[RULE_ERROR_MAX];
	ck_assert_msg(rules_parse(&rules, lines, strlen(lines), error), "%s", error);
}

static void set_up(void)
{
	rules_init(&rules);
	add_rules(default_rules);
	byte_buffer_init(&text);
}

static void tear_down(void)
{
	verdict_free(&verdict);
	contexts_free(&contexts);
	rules_free(&rules);
	byte_buffer_free(&text);
}

/* A profile of one stack for each of rows: "frame frame ...|calls|bytes class", innermost frame
 * first; calls or bytes may be empty. */
static void add_side(enum side side, const char *const *rows)
{
	static char profile_text[32768];
	char times[8192] = "CPU TIME (ms) BEGIN (total = 1) Sat Nov 21 02:55:44 2026\n";
	char sites[8192] = "SITES BEGIN (ordered by allocated bytes, live not counted) Sat\n";
	size_t used = (size_t)snprintf(profile_text, sizeof(profile_text),
	                               "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
	                               "--------\n\nNOTE: heap: every allocation (reported by "
	                               "bytecode, objects not tracked; x)\n");

	for (unsigned i = 0; rows[i] != NULL; i++) {
		char row[512];
		(void)strlcpy(row, rows[i], sizeof(row));
		char *calls = strchr(row, '|');
		*calls++ = '\0';
		char *bytes = strchr(calls, '|');
		*bytes++ = '\0';
		char *class_name = strchr(bytes, ' ');
		used += (size_t)snprintf(profile_text + used, sizeof(profile_text) - used,
		                         "TRACE %u:\n", 300001 + i);
		for (char *frame = strtok(row, " "); frame != NULL; frame = strtok(NULL, " "))
			used += (size_t)snprintf(profile_text + used, sizeof(profile_text) - used,
			                         "\t%s(A.java:%u)\n", frame, i);
		size_t length = strlen(times);
		if (*calls != '\0')
			(void)snprintf(times + length, sizeof(times) - length,
			               "%u 0.00%% 100.00%% %s %u a.b\n", i, calls, 300001 + i);
		length = strlen(sites);
		if (class_name != NULL) {
			*class_name++ = '\0';
			(void)snprintf(sites + length, sizeof(sites) - length,
			               "%u 0.00%% 100.00%% 0 0 %s 1 %u %s\n", i, bytes, 300001 + i,
			               class_name);
		}
	}
	(void)snprintf(profile_text + used, sizeof(profile_text) - used,
	               "%sCPU TIME (ms) END\n%sSITES END\n", times, sites);

	struct report_profile profile;
	struct report_error error;
	struct contexts_visitor visitor;
	struct input *input = input_of_bytes(profile_text, strlen(profile_text));
	ck_assert(report_profile_init(&profile));
	contexts_visitor_init(&visitor, &contexts, side);
	ck_assert_msg(report_read_text(input_source(input), &profile, &visitor.base, &error), "%s",
	              error.text);
	ck_assert(contexts_visitor_finish(&visitor, &profile));
	facts[side] = (struct side_facts){.name = side == SIDE_OLD ? "old" : "new",
	                                  .options = GATE_OPTIONS,
	                                  .sampled = visitor.sampled,
	                                  .tracked = visitor.tracked,
	                                  .rest = visitor.rest};
	contexts_visitor_free(&visitor);
	report_profile_free(&profile);
	input_close(input);
}

static void compare(const char *const *old_rows, const char *const *new_rows)
{
	ck_assert(contexts_init(&contexts, &rules));
	add_side(SIDE_OLD, old_rows);
	add_side(SIDE_NEW, new_rows);
	ck_assert(contexts_finish(&contexts));
	ck_assert(verdict_init(&verdict, &contexts));
}

static const char *describe(void)
{
	byte_buffer_truncate(&text, 0);
	verdict_describe(&verdict, 0, &text);
	byte_buffer_add_u1(&text, 0);
	return (const char *)text.bytes;
}

static const char *junit(void)
{
	byte_buffer_truncate(&text, 0);
	verdict_write_junit(&verdict, &text);
	byte_buffer_add_u1(&text, 0);
	return (const char *)text.bytes;
}

#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})

START_TEST(lines_threads_and_libraries_do_not_make_contexts)
{
	compare(ROWS("App.run App.main|1|16 byte[]", "App.run java.Loop.each App.main|2|"),
	        ROWS("App.run java.Other.each App.main|3|", "App.run App.main||16 byte[]",
	             "java.Maker.make App.run App.main|7|8 int[]"));
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].contexts, 1);
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].grew, 0);
	ck_assert_uint_eq(contexts.measured[MEASURE_CALLS].all[SIDE_NEW], 3);
	/* What a library allocates belongs to the method that called it. */
	ck_assert_uint_eq(verdict.of[MEASURE_BYTES].grew, 1);
	assert_has(describe(), "allocated bytes grew by 8, from 0 to 8 (budget +0%)\n"
	                       "\tnew int[]\n\tApp.run\n\tApp.main\n");
}
END_TEST

START_TEST(one_more_call_fails)
{
	compare(ROWS("App.f App.main|41|", "App.g App.main|9|", "App.main|1|"),
	        ROWS("App.f App.main|42|", "App.g App.main|8|", "App.main|1|"));
	ck_assert(!verdict_passes(&verdict));
	assert_has(describe(), "calls: 100.00% of 51 compared, in 3 contexts: 1 grew, 1 shrank\n");
	assert_has(describe(), "calls grew by 1, from 41 to 42 (budget +0%)\n"
	                       "\tApp.f\n\tApp.main\n");
	assert_has(junit(), "<testsuites tests=\"2\" failures=\"1\">");
	assert_has(junit(), "<testcase classname=\"hprof.calls\" name=\"App.f\">\n"
	                    "      <failure type=\"growth\" message=\"calls grew by 1, from 41 to "
	                    "42 (budget +0%)\">\nApp.f\nApp.main\n</failure>");
	assert_has(junit(), "<testcase classname=\"hprof.allocations\" name=\"0 contexts\"/>");
}
END_TEST

START_TEST(equal_profiles_pass)
{
	compare(ROWS("App.f App.main|41|24 java.lang.Long"),
	        ROWS("App.f App.main|41|24 java.lang.Long"));
	ck_assert(verdict_passes(&verdict));
	assert_has(junit(), "<testsuites tests=\"2\" failures=\"0\">");
	assert_has(junit(), "name=\"1 contexts\"/>");
}
END_TEST

START_TEST(the_first_budget_that_matches_a_method_or_its_callers_counts)
{
	add_rules("App.cache* +10%\nApp.main +1 calls\n");
	compare(ROWS("App.f App.cached App.main|10|16 byte[]", "App.f App.main|10|"),
	        ROWS("App.f App.cached App.main|11|17 byte[]", "App.f App.main|12|"));
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].allowed, 1);
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].grew, 1);
	ck_assert_uint_eq(verdict.of[MEASURE_BYTES].allowed, 1);
	assert_has(describe(), "calls grew by 2, from 10 to 12 (budget App.main +1)\n");
	assert_has(describe(), ", 1 grew within their budgets\n");
}
END_TEST

START_TEST(a_budget_may_name_the_allocated_class)
{
	add_rules("java.lang.Long +100%\n");
	compare(ROWS("App.main||24 java.lang.Long"), ROWS("App.main||48 java.lang.Long"));
	ck_assert(verdict_passes(&verdict));
}
END_TEST

START_TEST(what_an_excluded_method_calls_is_not_compared)
{
	compare(ROWS("App.f App.skipped App.main|1|", "App.main|1|"),
	        ROWS("App.f App.skipped App.main|9|64 byte[]", "App.main|1|"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(contexts.measured[MEASURE_CALLS].all[SIDE_NEW], 10);
	ck_assert_uint_eq(contexts.measured[MEASURE_CALLS].compared[SIDE_NEW], 1);
	assert_has(describe(), "calls: 10.00% of 10 compared");
	assert_has(describe(), "not compared: 9 calls and 64 bytes by the rule *.skipped\n");
}
END_TEST

START_TEST(class_initialization_is_the_same_whoever_comes_first)
{
	compare(ROWS("App.f App.<clinit> App.a|3|32 byte[]",
	             "java.X.f java.X.<clinit> App.a||99 byte[]", "App.a|1|"),
	        ROWS("App.f App.<clinit> java.lang.ClassLoader.loadClass App.skipped|3|32 byte[]",
	             "java.X.f java.X.<clinit> App.b||99 byte[]", "App.a|1|"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].contexts, 2);
	ck_assert_uint_eq(contexts.measured[MEASURE_BYTES].compared[SIDE_NEW], 32);
	ck_assert_uint_eq(contexts.measured[MEASURE_BYTES].all[SIDE_NEW], 32);
}
END_TEST

START_TEST(callers_are_excluded_on_both_sides_with_all_that_they_call)
{
	/* The old profile alone shows that App.find depends on the order. */
	compare(ROWS("java.util.Salted.next App.find App.main|3|", "App.match App.find App.main|1|",
	             "App.match App.main|1|"),
	        ROWS("App.match App.find App.main|5|16 byte[]", "App.match App.main|1|"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(contexts.measured[MEASURE_CALLS].compared[SIDE_NEW], 1);
	assert_has(describe(),
	           "not compared: 5 calls and 16 bytes by the rule java.util.Salted.*\n");
}
END_TEST

START_TEST(a_call_through_a_library_excludes_only_if_a_rule_says_so)
{
	compare(ROWS("java.util.Salted.next java.util.Each.do App.one App.main|3|",
	             "java.util.Salted.next java.util.Module.boot App.two App.main|3|"),
	        ROWS("App.f App.one App.main|5|", "App.f App.two App.main|5|"));
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].grew, 1);
	assert_has(describe(), "\tApp.f\n\tApp.two\n");
}
END_TEST

START_TEST(what_the_jvm_does_is_not_the_programs)
{
	compare(ROWS("App.main|1|"), ROWS("App.main|1|", "java.X.y java.lang.ClassLoader.loadClass "
	                                                 "App.main|1|99 byte[]"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(contexts.measured[MEASURE_BYTES].all[SIDE_NEW], 0);
}
END_TEST

START_TEST(objects_of_some_classes_are_not_compared)
{
	compare(ROWS("App.main|1|"), ROWS("App.main|1|16 java.lang.Counter"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(contexts.measured[MEASURE_BYTES].all[SIDE_NEW], 16);
}
END_TEST

START_TEST(numbers_of_lambdas_and_addresses_do_not_matter)
{
	compare(ROWS("App.lambda$main$0 App.main|1|", "App.main||16 App$$Lambda$14/0x00001"),
	        ROWS("App.lambda$main$7 App.main|1|", "App.main||16 App$$Lambda/0x00002"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(verdict.of[MEASURE_BYTES].contexts, 1);
}
END_TEST

START_TEST(own_classes_can_be_named)
{
	add_rules("own java.tool.*\n");
	compare(ROWS("java.tool.A.f App.main|1|"),
	        ROWS("java.tool.A.f App.main|1|", "App.main|5|", "java.tool.A$$Lambda/0x1.f|9|"));
	ck_assert(verdict_passes(&verdict));
	ck_assert_uint_eq(contexts.measured[MEASURE_CALLS].all[SIDE_NEW], 1);
}
END_TEST

START_TEST(names_are_text_in_xml_and_on_a_terminal)
{
	compare(ROWS("App.main|1|"),
	        ROWS("App.main|1|", "App.<a>&\"'\x1b[31m]]> App.main|1|16 X<\"y\">"));
	assert_has(junit(), "name=\"App.&lt;a&gt;&amp;&quot;&#39;");
	assert_has(junit(), "name=\"new X&lt;&quot;y&quot;&gt; in App.&lt;a&gt;");
	ck_assert_ptr_null(strchr(junit(), '\x1b'));
	ck_assert_ptr_null(strchr(describe(), '\x1b'));
}
END_TEST

START_TEST(junit_lists_a_hundred_failures_at_most)
{
	static char lines[150][32];
	static const char *rows[151];
	for (int i = 0; i < 150; i++) {
		(void)snprintf(lines[i], sizeof(lines[i]), "App.f%d|1|", i);
		rows[i] = lines[i];
	}
	compare(ROWS("App.main|1|"), rows);
	ck_assert_uint_eq(verdict.of[MEASURE_CALLS].grew, 150);
	assert_has(junit(), "<testsuites tests=\"101\" failures=\"100\">");
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------ */

static void compare_same(void)
{
	compare(ROWS("App.main|1|"), ROWS("App.main|1|"));
	ck_assert(profiles_comparable(&contexts, facts, refusal));
}

static const struct {
	const char *options;
	const char *refusal;
} options[] = {
        {"cpu=times,cutoff=0", "depth=1024"},
        {"cpu=times,cutoff=0,depth=30", "depth=1024"},
        {"cpu=times,depth=1024", "cutoff=0"},
        {"cpu=times,depth=1024,cutoff=0.01", "cutoff=0"},
        {"cpu=times,depth=1024,cutoff=0,cutoff=0.5", "cutoff=0"},
        {"cpu=times,depth=1024,cutoff=", "cutoff=0"},
        {"cpu=times,depth=1024,cutoff=0,include=a.*", "different include="},
        {NULL, "notes=y"},
};

START_TEST(options_that_leave_something_out_are_refused)
{
	compare_same();
	facts[SIDE_NEW].options = options[_i].options;
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "new");
	assert_has(refusal, options[_i].refusal);
}
END_TEST

START_TEST(the_same_filters_in_another_order_are_no_difference)
{
	compare_same();
	facts[SIDE_OLD].options = "depth=2000,include=a.*,include=b.*,cutoff=0.0";
	facts[SIDE_NEW].options = "include=b.*,cutoff=0,include=a.*,depth=1024";
	ck_assert(profiles_comparable(&contexts, facts, refusal));
	facts[SIDE_NEW].options = "include=b.*,cutoff=0,depth=1024";
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
}
END_TEST

START_TEST(live_sampled_and_cut_profiles_are_refused)
{
	compare_same();
	facts[SIDE_OLD].tracked = true;
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "live=n");
	facts[SIDE_OLD].tracked = false;
	facts[SIDE_OLD].sampled = true;
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "heapinterval=");
	facts[SIDE_OLD].sampled = false;
	facts[SIDE_OLD].rest = true;
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "cutoff=0");
}
END_TEST

START_TEST(different_sections_are_refused)
{
	compare_same();
	contexts.measured[MEASURE_BYTES].has[SIDE_NEW] = false;
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "only old has a SITES section");
	contexts.measured[MEASURE_BYTES].has[SIDE_OLD] = false;
	ck_assert(profiles_comparable(&contexts, facts, refusal));
	contexts.measured[MEASURE_CALLS].has[SIDE_OLD] = false;
	contexts.measured[MEASURE_CALLS].has[SIDE_NEW] = false;
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "neither calls nor allocations");
}
END_TEST

START_TEST(a_comparison_of_nothing_is_refused)
{
	compare(ROWS("java.A.main|1|"), ROWS("java.A.main|1|"));
	ck_assert(!profiles_comparable(&contexts, facts, refusal));
	assert_has(refusal, "--classes");
}
END_TEST

static Suite *verdict_suite(void)
{
	Suite *suite = suite_create("verdict");
	TCase *tests = tcase_create("verdict");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, lines_threads_and_libraries_do_not_make_contexts);
	tcase_add_test(tests, one_more_call_fails);
	tcase_add_test(tests, equal_profiles_pass);
	tcase_add_test(tests, the_first_budget_that_matches_a_method_or_its_callers_counts);
	tcase_add_test(tests, a_budget_may_name_the_allocated_class);
	tcase_add_test(tests, what_an_excluded_method_calls_is_not_compared);
	tcase_add_test(tests, class_initialization_is_the_same_whoever_comes_first);
	tcase_add_test(tests, callers_are_excluded_on_both_sides_with_all_that_they_call);
	tcase_add_test(tests, a_call_through_a_library_excludes_only_if_a_rule_says_so);
	tcase_add_test(tests, what_the_jvm_does_is_not_the_programs);
	tcase_add_test(tests, objects_of_some_classes_are_not_compared);
	tcase_add_test(tests, numbers_of_lambdas_and_addresses_do_not_matter);
	tcase_add_test(tests, own_classes_can_be_named);
	tcase_add_test(tests, names_are_text_in_xml_and_on_a_terminal);
	tcase_add_test(tests, junit_lists_a_hundred_failures_at_most);
	tcase_add_loop_test(tests, options_that_leave_something_out_are_refused, 0,
	                    sizeof(options) / sizeof(options[0]));
	tcase_add_test(tests, the_same_filters_in_another_order_are_no_difference);
	tcase_add_test(tests, live_sampled_and_cut_profiles_are_refused);
	tcase_add_test(tests, different_sections_are_refused);
	tcase_add_test(tests, a_comparison_of_nothing_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(verdict_suite());
}
