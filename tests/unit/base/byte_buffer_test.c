/*
 * Tests of the byte buffer and of the set of written ids.
 */
#include "base/byte_buffer.h"
#include "hprof/written_set.h"
#include "run_suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct byte_buffer buffer;

static void make_buffer(void)
{
	byte_buffer_init(&buffer);
}

static void free_buffer(void)
{
	byte_buffer_free(&buffer);
}

static void expect(const char *bytes, size_t length)
{
	ck_assert_int_eq(buffer.error, 0);
	ck_assert_uint_eq(buffer.length, length);
	ck_assert_mem_eq(buffer.bytes, bytes, length);
}

START_TEST(numbers_are_big_endian)
{
	byte_buffer_add_u1(&buffer, 0xfe);
	byte_buffer_add_u2(&buffer, 0x0102);
	byte_buffer_add_u4(&buffer, 0x03040506);
	byte_buffer_add_u8(&buffer, UINT64_C(0x0708090a0b0c0d0e));
	expect("\xfe\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e", 15);
}
END_TEST

START_TEST(ids_have_the_size_of_the_profile)
{
	byte_buffer_add_id(&buffer, 4, 0xffffffff);
	byte_buffer_add_id(&buffer, 8, UINT64_C(0x100000000));
	expect("\xff\xff\xff\xff\x00\x00\x00\x01\x00\x00\x00\x00", 12);
}
END_TEST

START_TEST(an_id_that_does_not_fit_is_an_error)
{
	byte_buffer_add_id(&buffer, 4, UINT64_C(0x100000000));
	ck_assert_int_eq(buffer.error, BYTES_TOO_LARGE);
	ck_assert_uint_eq(buffer.length, 0);
}
END_TEST

START_TEST(the_first_error_sticks)
{
	byte_buffer_add_u1(&buffer, 1);
	byte_buffer_fail(&buffer, BYTES_TOO_LARGE);
	byte_buffer_fail(&buffer, BYTES_NO_MEMORY);
	byte_buffer_add_text(&buffer, "more");
	byte_buffer_printf(&buffer, "%d", 5);
	byte_buffer_add_u8(&buffer, 1);
	ck_assert_int_eq(buffer.error, BYTES_TOO_LARGE);
	ck_assert_uint_eq(buffer.length, 1);
}
END_TEST

START_TEST(an_impossible_size_is_an_error)
{
	byte_buffer_add_u1(&buffer, 1);
	byte_buffer_add(&buffer, "", SIZE_MAX);
	ck_assert_int_eq(buffer.error, BYTES_NO_MEMORY);
	ck_assert_uint_eq(buffer.length, 1);
}
END_TEST

START_TEST(formatted_text_of_any_length_is_whole)
{
	char filler[1001];
	char expected[2001];

	memset(filler, 'x', sizeof(filler) - 1);
	for (int length = 0; length <= 1000; length++) {
		byte_buffer_truncate(&buffer, 0);
		byte_buffer_printf(&buffer, "<%.*s|%d>", length, filler, length);
		int expected_length =
		        snprintf(expected, sizeof(expected), "<%.*s|%d>", length, filler, length);
		expect(expected, (size_t)expected_length);
	}
}
END_TEST

START_TEST(bytes_survive_growth)
{
	for (uint32_t i = 0; i < 100000; i++)
		byte_buffer_add_u4(&buffer, i);
	ck_assert_uint_eq(buffer.length, 400000);
	for (uint32_t i = 0; i < 100000; i++) {
		const uint8_t *at = buffer.bytes + (size_t)i * 4;
		uint32_t value = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
		                 (uint32_t)at[2] << 8 | at[3];
		ck_assert_uint_eq(value, i);
	}
}
END_TEST

START_TEST(truncation_never_lengthens)
{
	byte_buffer_add_text(&buffer, "abc");
	byte_buffer_truncate(&buffer, 10);
	expect("abc", 3);
	byte_buffer_truncate(&buffer, 2);
	expect("ab", 2);
}
END_TEST

START_TEST(an_id_is_written_once)
{
	static const uint32_t ids[] = {0, 1, 63, 64, 65, 4095, 4096, 1000000};
	const size_t count = sizeof(ids) / sizeof(ids[0]);
	struct written_set set;

	written_set_init(&set);
	for (size_t i = 0; i < count; i++) {
		ck_assert(!written_set_has(&set, ids[i]));
		ck_assert_int_eq(written_set_add(&set, ids[i]), WRITTEN_NEVER);
		ck_assert(written_set_has(&set, ids[i]));
	}
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(written_set_add(&set, ids[i]), WRITTEN_BEFORE);
	ck_assert(!written_set_has(&set, 2));
	ck_assert(!written_set_has(&set, 999999));
	ck_assert(!written_set_has(&set, UINT32_MAX));
	written_set_free(&set);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output_bytes");
	TCase *bytes = tcase_create("byte_buffer");
	TCase *set = tcase_create("written_set");

	tcase_add_checked_fixture(bytes, make_buffer, free_buffer);
	tcase_add_test(bytes, numbers_are_big_endian);
	tcase_add_test(bytes, ids_have_the_size_of_the_profile);
	tcase_add_test(bytes, an_id_that_does_not_fit_is_an_error);
	tcase_add_test(bytes, the_first_error_sticks);
	tcase_add_test(bytes, an_impossible_size_is_an_error);
	tcase_add_test(bytes, formatted_text_of_any_length_is_whole);
	tcase_add_test(bytes, bytes_survive_growth);
	tcase_add_test(bytes, truncation_never_lengthens);
	suite_add_tcase(suite, bytes);
	tcase_add_test(set, an_id_is_written_once);
	suite_add_tcase(suite, set);
	return run_suite(suite);
}
