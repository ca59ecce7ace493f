/*
 * Tests of sub-records that do not end where their segment ends: wherever a heap dump is divided,
 * and wherever the length of its record is wrong, the same sub-records are read; what is cut is
 * not taken for whole. Also the sub-records and the versions of other programs than the JDK.
 */
#include "heap_fixture.h"
#include "run_suite.h"

#include "hprof/heap_reader.h"

#include <stdlib.h>

enum { SUBS_MAX = 16, RECORD_HEAD = 9 };

static struct byte_buffer dump; /* the sub-records */
static struct byte_buffer bytes;
static struct os_file file;
static struct hprof_reader reader;
static struct hprof_sub_record sub;

/* What is compared of the sub-records that were read. */
struct seen {
	uint8_t tag;
	uint64_t object_id;
	uint64_t class_id;
	uint32_t length;
	uint64_t last_field;
};

static struct seen expected[SUBS_MAX];
static size_t expected_count;
static struct seen seen[SUBS_MAX];
static size_t seen_count;

static void add_dump(void)
{
	byte_buffer_add_u1(&dump, HPROF_SUB_ROOT_JAVA_FRAME);
	byte_buffer_add_u8(&dump, 0x11);
	byte_buffer_add_u4(&dump, 0x12);
	byte_buffer_add_u4(&dump, 0x13);
	add_class_head(&dump, 0x20, 0x21, 12);
	byte_buffer_add_u2(&dump, 0);
	byte_buffer_add_u2(&dump, 1);
	byte_buffer_add_u8(&dump, 1);
	byte_buffer_add_u1(&dump, HPROF_TYPE_LONG);
	byte_buffer_add_u8(&dump, 0x1c1c1c1c1c1c1c1c);
	byte_buffer_add_u2(&dump, 2);
	byte_buffer_add_u8(&dump, 3);
	byte_buffer_add_u1(&dump, HPROF_TYPE_OBJECT);
	byte_buffer_add_u8(&dump, 4);
	byte_buffer_add_u1(&dump, HPROF_TYPE_INT);
	add_instance_head(&dump, 0x30, 0x20, 12);
	byte_buffer_add(&dump, "abcdefghijkl", 12);
	add_object_array_head(&dump, 0x31, 0x20, 2);
	byte_buffer_add_u8(&dump, 0x30);
	byte_buffer_add_u8(&dump, 0x41);
	add_primitive_array_head(&dump, 0x32, HPROF_TYPE_SHORT, 3);
	byte_buffer_add(&dump, "uvwxyz", 6);
	add_instance_head(&dump, 0x33, 0x20, 12);
	byte_buffer_add(&dump, "ABCDEFGHIJKL", 12);
}

static void add_segment(size_t from, size_t to, uint32_t length)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	byte_buffer_add(&bytes, dump.bytes + from, to - from);
	put_u4(&bytes, start - 4, length);
}

static void begin(void)
{
	byte_buffer_truncate(&bytes, 0);
	add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
}

static void add_end(void)
{
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
}

static void see(void)
{
	ck_assert_uint_lt(seen_count, SUBS_MAX);
	struct seen *now = &seen[seen_count++];
	*now = (struct seen){.tag = sub.tag, .object_id = sub.object_id};
	if (sub.tag == HPROF_SUB_CLASS_DUMP)
		now->last_field = sub.class.fields[sub.class.field_count - 1].name_id +
		                  sub.class.statics[0].value;
	if (sub.tag == HPROF_SUB_INSTANCE_DUMP || sub.tag == HPROF_SUB_OBJECT_ARRAY_DUMP)
		now->class_id = sub.class_id;
	if (sub.tag >= HPROF_SUB_INSTANCE_DUMP)
		now->length = sub.length;
}

/* Reads the sub-records of all records of the first length bytes; those that are whole are seen. */
static void read_first(size_t length)
{
	uint8_t tag;

	seen_count = 0;
	change_input(&file, bytes.bytes, length);
	ck_assert(hprof_reader_open(&reader, &file, NULL, NULL));
	while (hprof_next_record(&reader, &tag)) {
		if (tag == HPROF_RECORD_HEAP_DUMP_SEGMENT)
			hprof_join_segments(&reader);
		while (tag == HPROF_RECORD_HEAP_DUMP_SEGMENT &&
		       hprof_read_sub_record(&reader, &sub)) {
			hprof_skip(&reader, hprof_body_length(&reader, &sub));
			if (reader.error == 0)
				see();
		}
	}
}

static void expect_all(void)
{
	ck_assert_int_eq(reader.error, 0);
	ck_assert_uint_eq(seen_count, expected_count);
	for (size_t i = 0; i < seen_count; i++) {
		ck_assert_uint_eq(seen[i].tag, expected[i].tag);
		ck_assert_uint_eq(seen[i].object_id, expected[i].object_id);
		ck_assert_uint_eq(seen[i].class_id, expected[i].class_id);
		ck_assert_uint_eq(seen[i].length, expected[i].length);
		ck_assert_uint_eq(seen[i].last_field, expected[i].last_field);
	}
	hprof_reader_close(&reader);
}

static void set_up(void)
{
	byte_buffer_init(&dump);
	byte_buffer_init(&bytes);
	ck_assert_int_eq(os_file_temporary(NULL, &file), 0);
	ck_assert(hprof_sub_record_init(&sub));
	add_dump();
	begin();
	add_segment(0, dump.length, (uint32_t)dump.length);
	add_end();
	read_first(bytes.length);
	ck_assert_uint_eq(reader.joined + reader.extended, 0);
	hprof_reader_close(&reader);
	ck_assert_uint_eq(seen_count, 6);
	memcpy(expected, seen, sizeof(seen));
	expected_count = seen_count;
}

static void tear_down(void)
{
	hprof_sub_record_free(&sub);
	byte_buffer_free(&dump);
	byte_buffer_free(&bytes);
	ck_assert_int_eq(os_file_close(&file), 0);
}

START_TEST(a_dump_that_is_divided_anywhere_is_read_whole)
{
	unsigned between = 0;

	for (size_t at = 1; at < dump.length; at++) {
		begin();
		add_segment(0, at, (uint32_t)at);
		add_segment(at, dump.length, (uint32_t)(dump.length - at));
		add_end();
		read_first(bytes.length);
		ck_assert_uint_le(reader.joined, 1);
		between += reader.joined == 0;
		if (reader.joined == 1)
			ck_assert_uint_eq(reader.joined_at, FILE_HEADER_BYTES + RECORD_HEAD + at);
		ck_assert_uint_eq(reader.extended, 0);
		expect_all();
	}
	ck_assert_uint_eq(between, expected_count - 1);
}
END_TEST

START_TEST(a_dump_can_have_a_segment_for_each_byte)
{
	begin();
	for (size_t at = 0; at < dump.length; at++) {
		add_segment(at, at + 1, 1);
		add_segment(at, at, 0);
	}
	add_end();
	read_first(bytes.length);
	expect_all();
}
END_TEST

START_TEST(a_length_that_is_too_small_loses_nothing)
{
	for (int last = 0; last < 2; last++) {
		for (uint32_t length = (uint32_t)dump.length - 11; length < dump.length; length++) {
			begin();
			add_segment(0, dump.length, length);
			if (last == 0)
				add_end();
			read_first(bytes.length);
			ck_assert_uint_eq(reader.joined, 0);
			ck_assert_uint_eq(reader.extended, 1);
			expect_all();
		}
	}
}
END_TEST

/* Wherever the file ends, what is whole is seen, and nothing else. */
START_TEST(a_file_that_ends_anywhere_has_no_part_of_a_sub_record)
{
	size_t most = 0;

	begin();
	for (size_t at = 0; at < dump.length; at += 5)
		add_segment(at, at + 5 < dump.length ? at + 5 : dump.length,
		            (uint32_t)(at + 5 < dump.length ? 5 : dump.length - at));
	for (size_t length = FILE_HEADER_BYTES; length < bytes.length; length++) {
		read_first(length);
		ck_assert_uint_le(most, seen_count);
		most = seen_count;
		for (size_t i = 0; i < seen_count; i++)
			ck_assert_uint_eq(seen[i].object_id, expected[i].object_id);
		hprof_reader_close(&reader);
	}
	ck_assert_uint_eq(most, expected_count - 1);
}
END_TEST

START_TEST(an_object_that_claims_too_much_is_not_extended)
{
	static const uint32_t lengths[] = {1000, HPROF_WINDOW_BYTES, 0x7fffffff, UINT32_MAX};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		begin();
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		add_primitive_array_head(&bytes, 1, HPROF_TYPE_BYTE, lengths[i]);
		byte_buffer_add_u8(&bytes, 0);
		end_record(&bytes, start);
		add_end();
		read_first(bytes.length);
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		ck_assert_uint_eq(seen_count, 0);
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(sub_records_of_android_are_read_in_its_version_alone)
{
	static const uint8_t roots[] = {0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x90};

	for (int version = HPROF_VERSION_1_0_2; version <= HPROF_VERSION_1_0_3; version++) {
		byte_buffer_truncate(&bytes, 0);
		add_header(&bytes, hprof_versions[version], 4);
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		byte_buffer_add_u1(&bytes, 0xfe);
		byte_buffer_add_u4(&bytes, 65);
		byte_buffer_add_u4(&bytes, 9);
		for (size_t i = 0; i < sizeof(roots); i++) {
			byte_buffer_add_u1(&bytes, roots[i]);
			byte_buffer_add_u4(&bytes, (uint32_t)i + 1);
		}
		byte_buffer_add_u1(&bytes, 0x8e);
		byte_buffer_add_u4(&bytes, 0x51);
		byte_buffer_add_u4(&bytes, 2);
		byte_buffer_add_u4(&bytes, 3);
		byte_buffer_add_u1(&bytes, 0xc3);
		byte_buffer_add_u4(&bytes, 0x52);
		byte_buffer_add_u4(&bytes, 0);
		byte_buffer_add_u4(&bytes, 1000000);
		byte_buffer_add_u1(&bytes, HPROF_TYPE_INT);
		end_record(&bytes, start);
		read_first(bytes.length);
		if (version == HPROF_VERSION_1_0_2) {
			ck_assert_int_eq(reader.error, HPROF_BROKEN);
			ck_assert_uint_eq(seen_count, 0);
		} else {
			ck_assert_int_eq(reader.error, 0);
			ck_assert_uint_eq(seen_count, 9);
			ck_assert_uint_eq(sub.name_id, 9);
			ck_assert_uint_eq(sub.thread_serial, 2);
			ck_assert_uint_eq(sub.frame, 3);
			ck_assert_uint_eq(sub.object_id, 0x52);
			ck_assert_uint_eq(sub.length, 1000000);
		}
		hprof_reader_close(&reader);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("segments");
	TCase *tests = tcase_create("segments");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_dump_that_is_divided_anywhere_is_read_whole);
	tcase_add_test(tests, a_dump_can_have_a_segment_for_each_byte);
	tcase_add_test(tests, a_length_that_is_too_small_loses_nothing);
	tcase_add_test(tests, a_file_that_ends_anywhere_has_no_part_of_a_sub_record);
	tcase_add_test(tests, an_object_that_claims_too_much_is_not_extended);
	tcase_add_test(tests, sub_records_of_android_are_read_in_its_version_alone);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
