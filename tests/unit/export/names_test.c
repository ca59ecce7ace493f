/*
 * Tests that names with any bytes become valid UTF-8, and that the places of frames are read.
 */
#include "run_suite.h"

#include "export/utf8_text.h"
#include "report/frame_place.h"

#include <string.h>

static void check_text(const char *text, size_t length, const char *expected)
{
	struct byte_buffer out;
	byte_buffer_init(&out);
	utf8_add_text(&out, text, length);
	byte_buffer_add_u1(&out, 0);
	ck_assert_str_eq((const char *)out.bytes, expected);
	byte_buffer_free(&out);
}

START_TEST(valid_text_stays)
{
	static const char *const valid[] = {"", "a.B.<init>",
	                                    "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", "\";,<script>",
	                                    "\xef\xbf\xbd"};
	for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++)
		check_text(valid[i], strlen(valid[i]), valid[i]);
}
END_TEST

START_TEST(invalid_bytes_become_replacement_characters)
{
	check_text("a\xff"
	           "b",
	           3,
	           "a\xef\xbf\xbd"
	           "b");
	check_text("\xc3", 1, "\xef\xbf\xbd");
	check_text("\xc0\x80", 2, "\xef\xbf\xbd\xef\xbf\xbd");
	check_text("\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	check_text("\xf4\x90\x80\x80", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}
END_TEST

START_TEST(control_characters_are_escaped)
{
	check_text("a\0b\n\x1b\x7f", 6, "a\\u0000b\\u000a\\u001b\\u007f");
	check_text("\xc2\x85\xe2\x80\xa8", 5, "\\u0085\\u2028");
}
END_TEST

static void check_place(const char *text, const char *file, uint32_t line, bool native)
{
	const struct string string = {.length = (uint32_t)strlen(text), .text = text};
	struct frame_place place = frame_place_of(&string);
	ck_assert_msg(place.file_length == strlen(file) &&
	                      memcmp(place.file, file, place.file_length) == 0,
	              "%s: %.*s", text, (int)place.file_length, place.file);
	ck_assert_uint_eq(place.line, line);
	ck_assert_int_eq(place.native, native);
}

START_TEST(places_have_a_file_and_a_line)
{
	check_place("(A.java:12)", "A.java", 12, false);
	check_place("(A.java:2147483647)", "A.java", INT32_MAX, false);
	check_place("(A.java)", "A.java", 0, false);
	check_place("(A.java:Unknown line)", "A.java", 0, false);
	check_place("(A.java:Native method)", "A.java", 0, true);
	check_place("(<Unknown Source>:Native method)", "", 0, true);
	check_place("(<Unknown Source>)", "", 0, false);
	check_place("(C:\\x\\A.kt:3)", "C:\\x\\A.kt", 3, false);
}
END_TEST

START_TEST(other_places_have_what_is_there)
{
	check_place("", "", 0, false);
	check_place("(", "", 0, false);
	check_place("()", "", 0, false);
	check_place("(:)", ":", 0, false);
	check_place("(:7)", "", 7, false);
	check_place("(A.java:0)", "A.java:0", 0, false);
	check_place("(A.java:-1)", "A.java:-1", 0, false);
	check_place("(A.java:99999999999999999999999)", "A.java:99999999999999999999999", 0, false);
	check_place("A.java:12", "", 0, false);
}
END_TEST

static Suite *names_suite(void)
{
	Suite *suite = suite_create("names");
	TCase *tests = tcase_create("names");
	tcase_add_test(tests, valid_text_stays);
	tcase_add_test(tests, invalid_bytes_become_replacement_characters);
	tcase_add_test(tests, control_characters_are_escaped);
	tcase_add_test(tests, places_have_a_file_and_a_line);
	tcase_add_test(tests, other_places_have_what_is_there);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(names_suite());
}
