/*
 * Tests of the string table and of the conversion from the JVM's encoding.
 */
#include "base/modified_utf8.h"
#include "model/strings.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct string_table *table;

static void make_table(void)
{
	table = string_table_create();
	ck_assert_ptr_nonnull(table);
}

static void destroy_table(void)
{
	string_table_destroy(table);
}

/* ---- the table -------------------------------------------------------- */

static void expect_string(const struct string *string, const char *bytes, size_t length)
{
	ck_assert_ptr_nonnull(string);
	ck_assert_uint_eq(string->length, length);
	if (length > 0)
		ck_assert_mem_eq(string->text, bytes, length);
	ck_assert_int_eq(string->text[length], '\0');
}

START_TEST(equal_bytes_are_one_string)
{
	char copy[] = "java.lang.String";

	const struct string *first = string_table_intern(table, "java.lang.String", 16);
	expect_string(first, copy, 16);
	ck_assert_ptr_eq(string_table_intern(table, copy, 16), first);
	memset(copy, 'x', 16);
	expect_string(first, "java.lang.String", 16);
}
END_TEST

START_TEST(different_bytes_are_different_strings)
{
	const struct string *a = string_table_intern(table, "ab", 2);
	const struct string *b = string_table_intern(table, "ab", 1);
	const struct string *c = string_table_intern(table, "aB", 2);
	const struct string *d = string_table_intern(table, "ab\0", 3);
	const struct string *e = string_table_intern(table, "", 0);

	expect_string(a, "ab", 2);
	expect_string(b, "a", 1);
	expect_string(c, "aB", 2);
	expect_string(d, "ab\0", 3);
	expect_string(e, "", 0);
}
END_TEST

START_TEST(ids_are_dense_from_one)
{
	for (uint32_t i = 1; i <= 10000; i++) {
		char text[16];
		int length = snprintf(text, sizeof(text), "name%u", i);
		const struct string *string = string_table_intern(table, text, (size_t)length);
		ck_assert_ptr_nonnull(string);
		ck_assert_uint_eq(string->id, i);
		ck_assert_ptr_eq(string_table_intern(table, text, (size_t)length), string);
	}
	ck_assert_uint_eq(string_table_intern(table, "name1", 5)->id, 1);
	ck_assert_uint_eq(string_table_intern(table, "name9999", 8)->id, 9999);
}
END_TEST

START_TEST(a_long_string_is_whole)
{
	enum { LENGTH = 1024 * 1024 };
	char *bytes = malloc(LENGTH);

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, 'b', LENGTH);
	const struct string *string = string_table_intern(table, bytes, LENGTH);
	expect_string(string, bytes, LENGTH);
	ck_assert_ptr_eq(string_table_intern(table, bytes, LENGTH), string);
	free(bytes);
}
END_TEST

START_TEST(strings_too_long_for_the_format_are_rejected_unread)
{
	ck_assert_ptr_nonnull(string_table_intern(table, "name", 4));
	ck_assert_ptr_null(string_table_intern(table, "name", (size_t)UINT32_MAX));
#if SIZE_MAX > UINT32_MAX
	ck_assert_ptr_null(string_table_intern(table, "name", ((size_t)1 << 32) + 4));
	ck_assert_ptr_null(string_table_intern(table, "name", SIZE_MAX));
#endif
}
END_TEST

START_TEST(jvm_names_are_interned_as_utf8)
{
	const struct string *plain = string_table_intern(table, "\xf0\x9f\x98\x80", 4);

	ck_assert_ptr_eq(string_table_intern_jvm(table, "\xed\xa0\xbd\xed\xb8\x80"), plain);
	expect_string(string_table_intern_jvm(table, "a\xc0\x80z"), "a\0z", 3);
	expect_string(string_table_intern_jvm(table, "\xc3\xa4"), "\xc3\xa4", 2);
	expect_string(string_table_intern_jvm(table, "\xff"), "\xef\xbf\xbd", 3);
	expect_string(string_table_intern_jvm(table, ""), "", 0);
	ck_assert_ptr_eq(string_table_intern_jvm(table, "main"),
	                 string_table_intern(table, "main", 4));
}
END_TEST

START_TEST(no_table_is_nothing_to_destroy)
{
	string_table_destroy(NULL);
}
END_TEST

/* ---- the encoding ----------------------------------------------------- */

#define BAD "\xef\xbf\xbd" /* U+FFFD */

/* Converts bytes at the end of their own allocation, into a buffer of exactly the size that
 * the header requires. */
static size_t convert(const char *bytes, size_t length, char *result)
{
	char *from = malloc(length + (length == 0));
	char *to = malloc(UTF8_FROM_MODIFIED_MAX(length) + (length == 0));

	QUICK_CHECK(from != NULL && to != NULL, "no memory");
	memcpy(from, bytes, length);
	size_t written = utf8_from_modified(from, length, to);
	QUICK_CHECK(written <= UTF8_FROM_MODIFIED_MAX(length), "%zu bytes of %zu", written, length);
	memcpy(result, to, written);
	free(from);
	free(to);
	return written;
}

#define TEXT(words) words, sizeof(words) - 1

static const struct {
	const char *modified;
	size_t length;
	const char *utf8;
	size_t utf8_length;
} conversions[] = {
        /* unchanged */
        {TEXT(""), TEXT("")},
        {TEXT("abc \x01\x7f"), TEXT("abc \x01\x7f")},
        {TEXT("\xc2\x80\xc3\xa4\xdf\xbf"), TEXT("\xc2\x80\xc3\xa4\xdf\xbf")},
        {TEXT("\xe0\xa0\x80\xe2\x82\xac\xef\xbf\xbf"),
         TEXT("\xe0\xa0\x80\xe2\x82\xac\xef\xbf\xbf")},
        {TEXT("\xed\x9f\xbf\xee\x80\x80"), TEXT("\xed\x9f\xbf\xee\x80\x80")},
        /* NUL */
        {TEXT("\xc0\x80"), TEXT("\0")},
        {TEXT("a\xc0\x80"
              "b"),
         TEXT("a\0b")},
        {TEXT("a\0b"), TEXT("a\0b")},
        /* surrogate pairs: U+10000, U+1F600, U+10FFFF */
        {TEXT("\xed\xa0\x80\xed\xb0\x80"), TEXT("\xf0\x90\x80\x80")},
        {TEXT("x\xed\xa0\xbd\xed\xb8\x80y"), TEXT("x\xf0\x9f\x98\x80y")},
        {TEXT("\xed\xaf\xbf\xed\xbf\xbf"), TEXT("\xf4\x8f\xbf\xbf")},
        {TEXT("\xed\xa0\x80\xed\xb0\x80\xed\xa0\x80\xed\xb0\x80"),
         TEXT("\xf0\x90\x80\x80\xf0\x90\x80\x80")},
        /* lone surrogates */
        {TEXT("\xed\xa0\x80"), TEXT(BAD)},
        {TEXT("\xed\xb0\x80"), TEXT(BAD)},
        {TEXT("\xed\xb0\x80\xed\xb0\x80"), TEXT(BAD BAD)},
        {TEXT("\xed\xaf\xbf\xee\x80\x80"), TEXT(BAD "\xee\x80\x80")},
        {TEXT("\xed\xa0\x80x"), TEXT(BAD "x")},
        {TEXT("\xed\xb0\x80\xed\xa0\x80"), TEXT(BAD BAD)},
        {TEXT("\xed\xa0\x80\xed\xa0\x80\xed\xb0\x80"), TEXT(BAD "\xf0\x90\x80\x80")},
        {TEXT("\xed\xa0\x80\xff"), TEXT(BAD BAD)},
        {TEXT("\xed\xa0\x80\xc3\xa4"), TEXT(BAD "\xc3\xa4")},
        /* malformed */
        {TEXT("\x80\xbf"), TEXT(BAD BAD)},
        {TEXT("\xff\xfe\xf8"), TEXT(BAD BAD BAD)},
        {TEXT("\xf0\x9f\x98\x80"), TEXT(BAD BAD BAD BAD)},
        {TEXT("\xc3(\xe2(\xe2\x82("), TEXT(BAD "(" BAD "(" BAD BAD "(")},
        {TEXT("\xc3\xc3\xa4"), TEXT(BAD "\xc3\xa4")},
        {TEXT("\xe2\xe2\x82\xac"), TEXT(BAD "\xe2\x82\xac")},
        /* cut off */
        {TEXT("a\xc3"), TEXT("a" BAD)},
        {TEXT("a\xe2"), TEXT("a" BAD)},
        {TEXT("a\xe2\x82"), TEXT("a" BAD BAD)},
        {TEXT("\xed\xa0\x80\xed"), TEXT(BAD BAD)},
        {TEXT("\xed\xa0\x80\xed\xb0"), TEXT(BAD BAD BAD)},
};

START_TEST(names_become_plain_utf8)
{
	char result[64];
	size_t written = convert(conversions[_i].modified, conversions[_i].length, result);

	ck_assert_uint_eq(written, conversions[_i].utf8_length);
	if (written > 0)
		ck_assert_mem_eq(result, conversions[_i].utf8, written);
}
END_TEST

START_TEST(bytes_after_the_name_are_not_read)
{
	char result[16];

	ck_assert_uint_eq(utf8_from_modified("\xc3\xa4", 1, result), 3);
	ck_assert_mem_eq(result, BAD, 3);
	ck_assert_uint_eq(utf8_from_modified("\xe2\x82\xac", 2, result), 6);
	ck_assert_mem_eq(result, BAD BAD, 6);
	ck_assert_uint_eq(utf8_from_modified("\xed\xa0\x80\xed\xb0\x80", 3, result), 3);
	ck_assert_mem_eq(result, BAD, 3);
}
END_TEST

/* Well-formed UTF-8 by its definition (Unicode, table 3-7), independent of the code under
 * test. */
static bool is_utf8(const unsigned char *b, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t left = length - at;
		const unsigned char *c = b + at;
		if (c[0] < 0x80) {
			at += 1;
		} else if (left >= 2 && c[0] >= 0xc2 && c[0] <= 0xdf && (c[1] & 0xc0) == 0x80) {
			at += 2;
		} else if (left >= 3 && (c[0] & 0xf0) == 0xe0 && (c[1] & 0xc0) == 0x80 &&
		           (c[2] & 0xc0) == 0x80 && !(c[0] == 0xe0 && c[1] < 0xa0) &&
		           !(c[0] == 0xed && c[1] > 0x9f)) {
			at += 3;
		} else if (left >= 4 && c[0] >= 0xf0 && c[0] <= 0xf4 && (c[1] & 0xc0) == 0x80 &&
		           (c[2] & 0xc0) == 0x80 && (c[3] & 0xc0) == 0x80 &&
		           !(c[0] == 0xf0 && c[1] < 0x90) && !(c[0] == 0xf4 && c[1] > 0x8f)) {
			at += 4;
		} else {
			return false;
		}
	}
	return true;
}

START_TEST(every_input_becomes_valid_utf8)
{
	/* Bytes at the limits of the ranges that the encodings distinguish. */
	static const unsigned char borders[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
	                                        0xaf, 0xb0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
	                                        0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf4, 0xff};
	enum { COUNT = sizeof(borders) };
	char bytes[7];
	char result[64];
	uint32_t random = 1;

	for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
		bytes[0] = (char)borders[i % COUNT];
		bytes[1] = (char)borders[i / COUNT % COUNT];
		bytes[2] = (char)borders[i / COUNT / COUNT];
		size_t written = convert(bytes, 3, result);
		QUICK_CHECK(is_utf8((unsigned char *)result, written), "round %d", i);
	}
	for (int i = 0; i < 100000; i++) {
		for (size_t k = 0; k < sizeof(bytes); k++) {
			random = random * 1664525u + 1013904223u;
			bytes[k] = (char)borders[(random >> 8) % COUNT];
		}
		size_t written = convert(bytes, sizeof(bytes), result);
		QUICK_CHECK(is_utf8((unsigned char *)result, written), "round %d", i);
	}
}
END_TEST

START_TEST(ascii_without_nul_needs_no_conversion)
{
	ck_assert(modified_utf8_is_ascii("", 0));
	ck_assert(modified_utf8_is_ascii("java/lang/Object\x01\x7f", 18));
	ck_assert(!modified_utf8_is_ascii("a\0b", 3));
	ck_assert(!modified_utf8_is_ascii("a\x80", 2));
	ck_assert(!modified_utf8_is_ascii("\xff", 1));
	ck_assert(modified_utf8_is_ascii("a\x80", 1));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model_strings");
	TCase *strings = tcase_create("strings");
	TCase *encoding = tcase_create("encoding");

	tcase_set_timeout(strings, 60);
	tcase_set_timeout(encoding, 60);
	tcase_add_checked_fixture(strings, make_table, destroy_table);
	tcase_add_test(strings, equal_bytes_are_one_string);
	tcase_add_test(strings, different_bytes_are_different_strings);
	tcase_add_test(strings, ids_are_dense_from_one);
	tcase_add_test(strings, a_long_string_is_whole);
	tcase_add_test(strings, strings_too_long_for_the_format_are_rejected_unread);
	tcase_add_test(strings, jvm_names_are_interned_as_utf8);
	tcase_add_test(strings, no_table_is_nothing_to_destroy);
	tcase_add_loop_test(encoding, names_become_plain_utf8, 0,
	                    (int)(sizeof(conversions) / sizeof(conversions[0])));
	tcase_add_test(encoding, bytes_after_the_name_are_not_read);
	tcase_add_test(encoding, every_input_becomes_valid_utf8);
	tcase_add_test(encoding, ascii_without_nul_needs_no_conversion);
	suite_add_tcase(suite, strings);
	suite_add_tcase(suite, encoding);
	return run_suite(suite);
}
