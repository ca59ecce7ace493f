/*
 * Tests that the suffix of an output's name chooses the format of a profile.
 */
#include "run_suite.h"

#include "views/formats.h"
#include "export/pprof.h"
#include "export/speedscope.h"

#include <string.h>

START_TEST(the_suffix_chooses_the_format)
{
	static const struct {
		const char *name;
		const char *suffix;
		char agent_format;
	} known[] = {
	        {"a.collapsed", ".collapsed", 0},
	        {"/x.svg/b.svg", ".svg", 0},
	        {".svg", ".svg", 0},
	        {"a.hprof.txt", ".txt", 'a'},
	        {"a.txt.hprof", ".hprof", 'b'},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct profile_format *format = profile_format_of_name(known[i].name);
		ck_assert_msg(format != NULL, "%s", known[i].name);
		ck_assert_str_eq(format->suffix, known[i].suffix);
		ck_assert_int_eq(format->agent_format, known[i].agent_format);
		ck_assert(format->agent_format == 'b' || format->write != NULL);
	}
}
END_TEST

static void check_optional(const char *name, const char *suffix, bool is_available)
{
	const struct profile_format *format = profile_format_of_name(name);
	if (!is_available)
		ck_assert_ptr_null(format);
	else
		ck_assert_str_eq(format->suffix, suffix);
}

START_TEST(formats_that_require_a_library_need_not_be_built)
{
	check_optional("a.pb.gz", ".pb.gz", pprof_is_available);
	check_optional("a.json", ".json", json_is_available);
	check_optional("a.speedscope.json", ".json", json_is_available);
	check_optional("a.firefox.json", ".firefox.json", json_is_available);
}
END_TEST

START_TEST(no_other_suffix_has_a_format)
{
	static const char *const unknown[] = {
	        "",       "a",         "svg",       "a.SVG", "a.svg.", "a.svg/b",
	        "a.svgz", "a.txt.bak", "collapsed", "a.pb",  "a.gz",
	};
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		ck_assert_msg(profile_format_of_name(unknown[i]) == NULL, "%s", unknown[i]);
}
END_TEST

START_TEST(a_file_of_the_agents_is_none_that_the_command_writes)
{
	ck_assert_str_eq(profile_format_to_write("a.txt")->suffix, ".txt");
	ck_assert_ptr_null(profile_format_to_write("a.hprof"));
	ck_assert_ptr_null(profile_format_to_write("a"));
}
END_TEST

static Suite *profile_output_suite(void)
{
	Suite *suite = suite_create("profile_output");
	TCase *tests = tcase_create("suffixes");
	tcase_add_test(tests, the_suffix_chooses_the_format);
	tcase_add_test(tests, formats_that_require_a_library_need_not_be_built);
	tcase_add_test(tests, no_other_suffix_has_a_format);
	tcase_add_test(tests, a_file_of_the_agents_is_none_that_the_command_writes);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(profile_output_suite());
}
