/*
 * Tests of names that fit a terminal, and of the columns and styles of an output.
 */
#include "report_fixture.h"
#include "run_suite.h"

#include "report/shown_name.h"

/* After a line of other text and "before", on a terminal of so many columns. */
static const char *shown(const char *before, const char *text, uint32_t columns, uint32_t after)
{
	const struct string *name = string_table_intern(profile.strings, text, strlen(text));

	ck_assert_ptr_nonnull(name);
	output.columns = columns;
	byte_buffer_add_text(&output.text, "a long line before\n");
	size_t start = output.text.length;
	byte_buffer_add_text(&output.text, before);
	shown_name_add(&output, name, after);
	return fixture_printed() + start;
}

START_TEST(names_that_fit_are_whole)
{
	ck_assert_str_eq(shown("1 ", "java.util.HashMap.get", 23, 0), "1 java.util.HashMap.get");
}
END_TEST

START_TEST(without_a_terminal_names_are_whole)
{
	ck_assert_str_eq(shown("1 ", "java.util.HashMap.get", 0, 0), "1 java.util.HashMap.get");
}
END_TEST

START_TEST(as_many_packages_as_necessary_are_shortened)
{
	ck_assert_str_eq(shown("1 ", "java.util.HashMap.get", 22, 0), "1 j.util.HashMap.get");
}
END_TEST

START_TEST(all_packages_are_shortened_before_a_name_is_cut)
{
	ck_assert_str_eq(shown("1 ", "java.util.HashMap.get", 17, 0), "1 j.u.HashMap.get");
}
END_TEST

START_TEST(names_that_are_still_too_long_are_cut)
{
	ck_assert_str_eq(shown("1 ", "java.util.HashMap.get", 12, 0), "1 j.u.HashM\xe2\x80\xa6");
}
END_TEST

START_TEST(what_follows_the_name_has_its_columns)
{
	ck_assert_str_eq(shown("1 ", "java.util.HashMap.get", 23, 4), "1 j.u.HashMap.get");
}
END_TEST

START_TEST(where_a_name_has_no_room_lines_are_longer)
{
	ck_assert_str_eq(shown("0123456789", "java.util.HashMap.get", 17, 0),
	                 "0123456789java.util.HashMap.get");
	ck_assert_str_eq(shown("", "java.util.HashMap.get", 17, 12), "java.util.HashMap.get");
}
END_TEST

START_TEST(classes_and_places_are_no_packages)
{
	ck_assert_str_eq(shown("", "Main.main(Main.java:12)", 20, 0),
	                 "Main.main(Main.java\xe2\x80\xa6");
	ck_assert_str_eq(shown("", "thread a.b c.d e.f g.h", 20, 0),
	                 "thread a.b c.d e.f \xe2\x80\xa6");
	ck_assert_str_eq(shown("", ".....................", 20, 0),
	                 "...................\xe2\x80\xa6");
}
END_TEST

/* Two bytes each, which are one column. */
START_TEST(characters_are_counted_and_kept_whole)
{
	ck_assert_str_eq(
	        shown("", "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 8, 0),
	        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
	ck_assert_str_eq(shown("",
	                       "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4z",
	                       8, 0),
	                 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xe2\x80\xa6");
}
END_TEST

START_TEST(hostile_names_are_escaped_and_take_no_time)
{
	enum { LENGTH = 1000000 };
	char *text = malloc(LENGTH + 1);

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < LENGTH; i++)
		text[i] = i % 2 == 0 ? 'a' : '.';
	text[LENGTH - 1] = '\x1b';
	text[LENGTH] = '\0';
	const char *line = shown("", text, 80, 0);
	ck_assert_uint_eq(strlen(line), 79 + strlen("\xe2\x80\xa6"));
	ck_assert_ptr_null(strchr(line, '\x1b'));
	free(text);
}
END_TEST

START_TEST(columns_are_those_of_the_last_line)
{
	output.has_styles = true;
	ck_assert_uint_eq(output_column(&output), 0);
	byte_buffer_add_text(&output.text, "a line\n12");
	ck_assert_uint_eq(output_column(&output), 2);
	output_title(&output, "345");
	ck_assert_uint_eq(output_column(&output), 5);
	byte_buffer_add_text(&output.text, "\t9");
	ck_assert_uint_eq(output_column(&output), 9);
	ck_assert_str_eq(fixture_printed(), "a line\n12\033[1m345\033[0m\t9");
}
END_TEST

START_TEST(an_output_without_styles_has_none)
{
	output_title(&output, "a title");
	output_style(&output, STYLE_HOT);
	ck_assert_str_eq(fixture_printed(), "a title");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shown_name");
	TCase *tests = tcase_create("names");

	tcase_add_checked_fixture(tests, fixture_set_up, fixture_tear_down);
	tcase_add_test(tests, names_that_fit_are_whole);
	tcase_add_test(tests, without_a_terminal_names_are_whole);
	tcase_add_test(tests, as_many_packages_as_necessary_are_shortened);
	tcase_add_test(tests, all_packages_are_shortened_before_a_name_is_cut);
	tcase_add_test(tests, names_that_are_still_too_long_are_cut);
	tcase_add_test(tests, what_follows_the_name_has_its_columns);
	tcase_add_test(tests, where_a_name_has_no_room_lines_are_longer);
	tcase_add_test(tests, classes_and_places_are_no_packages);
	tcase_add_test(tests, characters_are_counted_and_kept_whole);
	tcase_add_test(tests, hostile_names_are_escaped_and_take_no_time);
	tcase_add_test(tests, columns_are_those_of_the_last_line);
	tcase_add_test(tests, an_output_without_styles_has_none);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
