/*
 * Tests of the reader of performance data files: the text of an entry is found in files of both
 * byte orders, and no file, however wrong, is read past its end.
 */
#include "run_suite.h"

#include "attach/perf_data.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 512, VALUE_BYTES = 64, HEADER = 32, ENTRY = 20 };

static const char command_name[] = "sun.rt.javaCommand";

struct file {
	uint8_t bytes[FILE_MAX];
	size_t length;
	bool little;
};

static void put(struct file *file, size_t at, uint32_t number)
{
	for (unsigned i = 0; i < 4; i++)
		file->bytes[at + i] = (uint8_t)(number >> 8 * (file->little ? i : 3 - i));
}

static struct file begin(bool little, uint32_t entries)
{
	static const uint8_t start[] = {0xca, 0xfe, 0xc0, 0xc0};
	struct file file = {.little = little, .length = HEADER};
	memcpy(file.bytes, start, sizeof(start));
	file.bytes[4] = little ? 1 : 0;
	file.bytes[5] = 2;
	put(&file, 24, HEADER);
	put(&file, 28, entries);
	return file;
}

/* Returns where the entry begins. */
static size_t add(struct file *file, const char *name, char type, const char *value)
{
	size_t at = file->length;
	size_t value_at = ENTRY + strlen(name) + 1;
	size_t length = (value_at + strlen(value) + 1 + 3) / 4 * 4;
	ck_assert_uint_le(at + length, FILE_MAX);
	put(file, at, (uint32_t)length);
	put(file, at + 4, ENTRY);
	put(file, at + 8, (uint32_t)strlen(value) + 1);
	file->bytes[at + 12] = (uint8_t)type;
	put(file, at + 16, (uint32_t)value_at);
	memcpy(file->bytes + at + ENTRY, name, strlen(name) + 1);
	memcpy(file->bytes + at + value_at, value, strlen(value) + 1);
	file->length += length;
	return at;
}

/* In memory of exactly that size, so that a sanitizer sees every byte too many. */
static bool read_exactly(const struct file *file, size_t length, char *value, size_t size)
{
	uint8_t *bytes = malloc(length > 0 ? length : 1);
	memcpy(bytes, file->bytes, length);
	bool found = perf_data_text(bytes, length, command_name, value, size);
	free(bytes);
	return found;
}

static bool reads(const struct file *file)
{
	char value[VALUE_BYTES];
	return read_exactly(file, file->length, value, sizeof(value));
}

START_TEST(a_text_is_found_in_either_byte_order)
{
	for (int little = 0; little < 2; little++) {
		char value[VALUE_BYTES];
		struct file file = begin(little == 1, 3);
		(void)add(&file, "java.threads.live", 'J', "12345678");
		(void)add(&file, "sun.rt.javaCommandX", 'B', "no");
		(void)add(&file, command_name, 'B', "com.acme.Main a b");
		ck_assert(read_exactly(&file, file.length, value, sizeof(value)));
		ck_assert_str_eq(value, "com.acme.Main a b");
	}
}
END_TEST

START_TEST(a_long_text_is_cut_and_one_without_an_end_is_terminated)
{
	char little[5];
	char value[VALUE_BYTES];
	struct file file = begin(true, 1);
	size_t at = add(&file, command_name, 'B', "abcdefgh");
	ck_assert(read_exactly(&file, file.length, little, sizeof(little)));
	ck_assert_str_eq(little, "abcd");
	put(&file, at + 8, 8); /* its NUL is no part of it */
	ck_assert(read_exactly(&file, file.length, value, sizeof(value)));
	ck_assert_str_eq(value, "abcdefgh");
}
END_TEST

START_TEST(every_part_of_a_file_is_refused_or_complete)
{
	char value[VALUE_BYTES];
	struct file file = begin(true, 2);
	(void)add(&file, "java.threads.live", 'J', "12345678");
	(void)add(&file, command_name, 'B', "Main");
	for (size_t length = 0; length < file.length; length++)
		ck_assert(!read_exactly(&file, length, value, sizeof(value)));
}
END_TEST

START_TEST(wrong_numbers_are_refused)
{
	static const size_t places[] = {24, 28, HEADER, HEADER + 4, HEADER + 8, HEADER + 16};
	static const uint32_t wrong[] = {1, 19, 0x7fffffff, 0xfffffff0, 0xffffffff};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (size_t j = 0; j < sizeof(wrong) / sizeof(wrong[0]); j++) {
			char value[VALUE_BYTES];
			struct file file = begin(true, 1);
			(void)add(&file, command_name, 'B', "Main");
			put(&file, places[i], wrong[j]);
			/* More entries, or fewer characters, than there are is no error. */
			bool harmless = places[i] == 28 ||
			                (places[i] == HEADER + 8 && wrong[j] <= 19) ||
			                (places[i] == HEADER + 16 && wrong[j] <= 19);
			bool found = read_exactly(&file, file.length, value, sizeof(value));
			ck_assert_msg(!found || harmless, "%zu %zu", places[i], j);
		}
	}
}
END_TEST

START_TEST(what_is_no_such_file_is_refused)
{
	struct file file = begin(true, 1);
	(void)add(&file, command_name, 'J', "Main");
	ck_assert(!reads(&file)); /* not text */
	file = begin(true, 0);
	(void)add(&file, command_name, 'B', "Main");
	ck_assert(!reads(&file));
	file = begin(true, 1);
	(void)add(&file, command_name, 'B', "Main");
	ck_assert(reads(&file));
	file.bytes[0] = 0;
	ck_assert(!reads(&file));
	file.bytes[0] = 0xca;
	file.bytes[4] = 2;
	ck_assert(!reads(&file));
	file.bytes[4] = 1;
	file.bytes[5] = 1;
	ck_assert(!reads(&file));
}
END_TEST

/* Entries of no length would be read for ever. */
START_TEST(random_bytes_do_no_harm)
{
	uint32_t seed = 12345;
	for (int i = 0; i < 20000; i++) {
		char value[VALUE_BYTES];
		struct file file = begin(i % 2 == 0, 3);
		(void)add(&file, "java.threads.live", 'J', "12345678");
		(void)add(&file, command_name, 'B', "Main");
		for (int j = 0; j < 4; j++) {
			seed = seed * 1664525 + 1013904223;
			file.bytes[6 + (seed >> 8) % (file.length - 6)] = (uint8_t)(seed >> 24);
		}
		(void)read_exactly(&file, file.length, value, sizeof(value));
	}
}
END_TEST

static Suite *perf_data_suite(void)
{
	Suite *suite = suite_create("perf_data");
	TCase *tests = tcase_create("perf_data");
	tcase_add_test(tests, a_text_is_found_in_either_byte_order);
	tcase_add_test(tests, a_long_text_is_cut_and_one_without_an_end_is_terminated);
	tcase_add_test(tests, every_part_of_a_file_is_refused_or_complete);
	tcase_add_test(tests, wrong_numbers_are_refused);
	tcase_add_test(tests, what_is_no_such_file_is_refused);
	tcase_add_test(tests, random_bytes_do_no_harm);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(perf_data_suite());
}
