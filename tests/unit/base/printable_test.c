/*
 * Tests of escaping text for a message.
 */
#include "base/printable.h"
#include "run_suite.h"

#include <string.h>

struct example {
	const char *text;
	const char *expected;
};

static void expect(const char *text, size_t length, const char *expected)
{
	char out[64];

	memset(out, '#', sizeof(out));
	printable_text(text, length, out, sizeof(out));
	ck_assert_str_eq(out, expected);
}

static void expect_each(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect(examples[i].text, strlen(examples[i].text), examples[i].expected);
}

#define EXPECT_EACH(examples) expect_each(examples, sizeof(examples) / sizeof((examples)[0]))

START_TEST(printable_characters_stay)
{
	static const struct example examples[] = {
	        {"", ""},
	        {"a b~!\\\"'%s", "a b~!\\\"'%s"},
	        {"\xc3\xa4\xc2\xa0\xdf\xbf", "\xc3\xa4\xc2\xa0\xdf\xbf"},
	        {"\xe0\xa0\x80\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80",
	         "\xe0\xa0\x80\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80"},
	        {"\xf0\x90\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf",
	         "\xf0\x90\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"},
	};
	EXPECT_EACH(examples);
}
END_TEST

START_TEST(control_characters_are_escaped)
{
	static const struct example examples[] = {
	        {"a\nb\rc\td", "a\\x0ab\\x0dc\\x09d"},
	        {"\x1b[31m\x7f", "\\x1b[31m\\x7f"},
	        {"\xc2\x80\xc2\x85", "\\xc2\\x80\\xc2\\x85"},
	        {"\xc2\x9b\xc2\x9f\xc2\xa0", "\\xc2\\x9b\\xc2\\x9f\xc2\xa0"},
	        {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa",
	         "\xe2\x80\xa7\\xe2\\x80\\xa8\\xe2\\x80\\xa9\xe2\x80\xaa"},
	};
	EXPECT_EACH(examples);
	expect("a\0b", 3, "a\\x00b");
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_escaped)
{
	static const struct example examples[] = {
	        {"\x80\xbf\xff\xc0", "\\x80\\xbf\\xff\\xc0"},
	        {"\xc1\xbf", "\\xc1\\xbf"},                   /* overlong */
	        {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},          /* overlong */
	        {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"}, /* overlong */
	        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* surrogate */
	        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
	        {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"}, /* no such lead byte */
	        {"\xc3(", "\\xc3("},                          /* no continuation */
	        {"\xe2\x82x", "\\xe2\\x82x"},                 /* the last one missing */
	        {"\xf0\x9f\x98x", "\\xf0\\x9f\\x98x"},        /* the last one missing */
	        {"\xf0\x9f\x98\xc0", "\\xf0\\x9f\\x98\\xc0"}, /* the last one wrong */
	        {"\xe2\xe2\x82\xac", "\\xe2\xe2\x82\xac"},    /* starts anew */
	};
	EXPECT_EACH(examples);
}
END_TEST

START_TEST(a_character_cut_off_at_the_end_is_not_read_beyond)
{
	expect("\xc3\xa4", 1, "\\xc3");
	expect("\xe2\x82\xac", 2, "\\xe2\\x82");
	expect("\xf0\x9f\x98\x80", 3, "\\xf0\\x9f\\x98");
	expect("abc", 0, "");
}
END_TEST

/* Checks the text written for each size of out, and that nothing is written
 * after it. */
static void expect_cut(const char *text, const char *const *expected, size_t smallest)
{
	for (size_t i = 0; expected[i] != NULL; i++) {
		char out[32];
		size_t size = smallest + i;

		memset(out, '#', sizeof(out));
		printable_text(text, strlen(text), out, size);
		ck_assert_msg(strcmp(out, expected[i]) == 0, "size %zu gives %s, not %s", size, out,
		              expected[i]);
		for (size_t k = size; k < sizeof(out); k++)
			ck_assert_int_eq(out[k], '#');
	}
}

START_TEST(text_that_does_not_fit_is_cut_between_characters)
{
	static const char *const plain[] = {"...", "a...", "ab...", "abcdef", "abcdef", NULL};
	static const char *const wide[] = {"...", "...", "\xe2\x82\xac...",
	                                   "\xe2\x82\xacx\xe2\x82\xac", NULL};
	static const char *const escaped[] = {"...",      "...",        "...",        "...",
	                                      "\\x01...", "\\x01\\x02", "\\x01\\x02", NULL};

	expect_cut("abcdef", plain, 4);
	expect_cut("\xe2\x82\xacx\xe2\x82\xac", wide, 5);
	expect_cut("\x01\x02", escaped, 4);
}
END_TEST

START_TEST(a_long_text_is_cut)
{
	static char text[100000];
	char out[64];

	memset(text, 'x', sizeof(text));
	printable_text(text, sizeof(text), out, sizeof(out));
	ck_assert_uint_eq(strlen(out), sizeof(out) - 1);
	ck_assert_str_eq(out + sizeof(out) - 6, "xx...");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("printable");
	TCase *text = tcase_create("text");

	tcase_add_test(text, printable_characters_stay);
	tcase_add_test(text, control_characters_are_escaped);
	tcase_add_test(text, bytes_that_are_not_utf8_are_escaped);
	tcase_add_test(text, a_character_cut_off_at_the_end_is_not_read_beyond);
	tcase_add_test(text, text_that_does_not_fit_is_cut_between_characters);
	tcase_add_test(text, a_long_text_is_cut);
	suite_add_tcase(suite, text);
	return run_suite(suite);
}
