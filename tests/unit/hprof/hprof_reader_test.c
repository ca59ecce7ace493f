/*
 * Tests of the reader of files in the HPROF binary format: known bytes are read as
 * the right values; data that is truncated, too long or of an unknown kind is rejected.
 */
#include "heap_fixture.h"
#include "run_suite.h"

#include "hprof/heap_reader.h"

#include <stdlib.h>

static struct byte_buffer bytes;
static struct os_file file;
static struct hprof_reader reader;
static struct hprof_sub_record sub;

static void set_up(void)
{
	byte_buffer_init(&bytes);
	add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
	ck_assert_int_eq(os_file_temporary(NULL, &file), 0);
	ck_assert(hprof_sub_record_init(&sub));
}

static void tear_down(void)
{
	hprof_sub_record_free(&sub);
	byte_buffer_free(&bytes);
	ck_assert_int_eq(os_file_close(&file), 0);
}

/* Opens the first length bytes of the test file. */
static bool open_first(size_t length)
{
	change_input(&file, bytes.bytes, length);
	return hprof_reader_open(&reader, &file, NULL, NULL);
}

static void open_all(void)
{
	ck_assert(open_first(bytes.length));
}

/* ---- files and records ------------------------------------------------- */

START_TEST(all_versions_and_both_sizes_of_ids_are_read)
{
	static const char *const versions[] = {"JAVA PROFILE 1.0", "JAVA PROFILE 1.0.1",
	                                       "JAVA PROFILE 1.0.2", "JAVA PROFILE 1.0.3"};
	for (unsigned i = 0; i < 4; i++) {
		for (uint32_t id_size = 4; id_size <= 8; id_size += 4) {
			byte_buffer_truncate(&bytes, 0);
			add_header(&bytes, versions[i], id_size);
			open_all();
			ck_assert_uint_eq(reader.id_size, id_size);
			ck_assert_uint_eq(reader.version, i);
			hprof_reader_close(&reader);
		}
	}
}
END_TEST

START_TEST(other_headers_are_rejected)
{
	static const char *const versions[] = {"JAVA PROFILE 1.0.4",          "JAVA PROFILE 1",
	                                       "JAVA PROFILE 1.0.2 and more", "",
	                                       "java profile 1.0.2",          "GZIP"};
	static const uint32_t sizes[] = {0, 1, 2, 3, 5, 16, 0x80000004, UINT32_MAX};
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		byte_buffer_truncate(&bytes, 0);
		add_header(&bytes, versions[i], 8);
		ck_assert(!open_first(bytes.length));
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		hprof_reader_close(&reader);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		byte_buffer_truncate(&bytes, 0);
		add_header(&bytes, "JAVA PROFILE 1.0.2", sizes[i]);
		ck_assert(!open_first(bytes.length));
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(a_truncated_header_is_rejected)
{
	for (size_t length = 0; length < FILE_HEADER_BYTES; length++) {
		ck_assert(!open_first(length));
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(a_read_error_is_reported)
{
	struct os_file closed = {.handle = -1};
	ck_assert(!hprof_reader_open(&reader, &closed, NULL, NULL));
	ck_assert_int_ne(reader.error, 0);
	ck_assert_int_ne(reader.error, HPROF_BROKEN);
	hprof_reader_close(&reader);
}
END_TEST

START_TEST(numbers_have_their_highest_byte_first)
{
	static const uint8_t numbers[] = {0x80, 0x81, 0x02, 0x83, 0x04, 0x05, 0x06, 0x87,
	                                  0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0xf0,
	                                  1,    2,    3,    4,    5,    6,    7};
	uint8_t tag = 0;
	size_t start = begin_record(&bytes, 0x77);
	byte_buffer_add(&bytes, numbers, sizeof(numbers));
	end_record(&bytes, start);
	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert_uint_eq(tag, 0x77);
	ck_assert_uint_eq(reader.left, sizeof(numbers));
	ck_assert_uint_eq(hprof_read_u1(&reader), 0x80);
	ck_assert_uint_eq(hprof_read_u2(&reader), 0x8102);
	ck_assert_uint_eq(hprof_read_u4(&reader), 0x83040506);
	ck_assert_uint_eq(hprof_read_u8(&reader), UINT64_C(0x8708090a0b0c0d0e));
	ck_assert_uint_eq(hprof_read_id(&reader), UINT64_C(0xf001020304050607));
	ck_assert_uint_eq(reader.left, 0);
	ck_assert(!hprof_next_record(&reader, &tag));
	ck_assert_int_eq(reader.error, 0);
	hprof_reader_close(&reader);
}
END_TEST

START_TEST(the_rest_of_a_record_is_skipped_by_the_next_one)
{
	uint8_t tag = 0;
	add_string(&bytes, 1, "first");
	add_string(&bytes, 2, "second");
	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert_uint_eq(tag, HPROF_RECORD_STRING);
	ck_assert_uint_eq(hprof_read_id(&reader), 2);
	const uint8_t *text = hprof_read_bytes(&reader, 6);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(memcmp(text, "second", 6), 0);
	hprof_reader_close(&reader);
}
END_TEST

START_TEST(nothing_is_read_past_the_end_of_a_record)
{
	uint8_t tag = 0;
	add_string(&bytes, 1, "abc");
	add_string(&bytes, 2, "def");
	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	(void)hprof_read_id(&reader);
	ck_assert_ptr_null(hprof_read_bytes(&reader, 4));
	ck_assert_int_eq(reader.error, HPROF_BROKEN);
	/* After the error, every read fails. */
	ck_assert_uint_eq(hprof_read_u1(&reader), 0);
	ck_assert(!hprof_next_record(&reader, &tag));
	hprof_reader_close(&reader);

	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	hprof_skip(&reader, reader.left + 1);
	ck_assert_int_eq(reader.error, HPROF_BROKEN);
	hprof_reader_close(&reader);
}
END_TEST

START_TEST(a_truncated_record_is_rejected)
{
	add_string(&bytes, 1, "abc");
	for (size_t length = FILE_HEADER_BYTES + 1; length < bytes.length; length++) {
		uint8_t tag = 0;
		ck_assert(open_first(length));
		if (hprof_next_record(&reader, &tag))
			ck_assert(!hprof_next_record(&reader, &tag));
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(a_record_longer_than_its_file_is_rejected)
{
	static const uint32_t lengths[] = {12, 0x7fffffff, 0x80000000, UINT32_MAX};
	uint8_t tag = 0;
	add_string(&bytes, 1, "abc");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		put_u4(&bytes, FILE_HEADER_BYTES + 5, lengths[i]);
		open_all();
		ck_assert(hprof_next_record(&reader, &tag));
		ck_assert_ptr_null(hprof_read_bytes(&reader, 12));
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(records_may_be_longer_than_the_window)
{
	const size_t length = 2 * HPROF_WINDOW_BYTES + 4711;
	uint8_t tag = 0;
	size_t start = begin_record(&bytes, HPROF_RECORD_STRING);
	size_t body = bytes.length;
	for (size_t i = 0; i < length; i++)
		byte_buffer_add_u1(&bytes, (uint8_t)(i % 251));
	end_record(&bytes, start);
	add_string(&bytes, 7, "behind");
	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	for (size_t at = 0; at < length;) {
		size_t piece = length - at < 1001 ? length - at : 1001;
		const uint8_t *got = hprof_read_bytes(&reader, piece);
		ck_assert_ptr_nonnull(got);
		ck_assert_mem_eq(got, bytes.bytes + body + at, piece);
		at += piece;
	}
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert_uint_eq(hprof_read_id(&reader), 7);
	hprof_reader_close(&reader);

	/* The size of the window, and one byte more. */
	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert_ptr_nonnull(hprof_read_bytes(&reader, HPROF_WINDOW_BYTES));
	ck_assert_ptr_null(hprof_read_bytes(&reader, HPROF_WINDOW_BYTES + 1));
	ck_assert_int_eq(reader.error, HPROF_BROKEN);
	hprof_reader_close(&reader);
}
END_TEST

/* ---- parts of a heap dump ---------------------------------------------- */

/* A segment with one sub-record of each kind. */
static void add_segment(void)
{
	static const uint8_t tags[] = {HPROF_SUB_ROOT_UNKNOWN,      HPROF_SUB_ROOT_JNI_GLOBAL,
	                               HPROF_SUB_ROOT_JNI_LOCAL,    HPROF_SUB_ROOT_JAVA_FRAME,
	                               HPROF_SUB_ROOT_NATIVE_STACK, HPROF_SUB_ROOT_STICKY_CLASS,
	                               HPROF_SUB_ROOT_THREAD_BLOCK, HPROF_SUB_ROOT_MONITOR_USED,
	                               HPROF_SUB_ROOT_THREAD_OBJECT};
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);

	for (size_t i = 0; i < sizeof(tags); i++) {
		byte_buffer_add_u1(&bytes, tags[i]);
		byte_buffer_add_u8(&bytes, 0x100 + i);
		if (tags[i] == HPROF_SUB_ROOT_JNI_GLOBAL)
			byte_buffer_add_u8(&bytes, 0x200);
		if (tags[i] == HPROF_SUB_ROOT_JNI_LOCAL || tags[i] == HPROF_SUB_ROOT_JAVA_FRAME ||
		    tags[i] == HPROF_SUB_ROOT_NATIVE_STACK ||
		    tags[i] == HPROF_SUB_ROOT_THREAD_BLOCK ||
		    tags[i] == HPROF_SUB_ROOT_THREAD_OBJECT)
			byte_buffer_add_u4(&bytes, 0x300);
		if (tags[i] == HPROF_SUB_ROOT_JNI_LOCAL || tags[i] == HPROF_SUB_ROOT_JAVA_FRAME ||
		    tags[i] == HPROF_SUB_ROOT_THREAD_OBJECT)
			byte_buffer_add_u4(&bytes, 0x400);
	}
	add_class_head(&bytes, 0x10, 0x18, 13);
	byte_buffer_add_u2(&bytes, 1); /* a constant */
	byte_buffer_add_u2(&bytes, 77);
	byte_buffer_add_u1(&bytes, HPROF_TYPE_OBJECT);
	byte_buffer_add_u8(&bytes, 0x500);
	byte_buffer_add_u2(&bytes, 2); /* static fields */
	byte_buffer_add_u8(&bytes, 1);
	byte_buffer_add_u1(&bytes, HPROF_TYPE_BYTE);
	byte_buffer_add_u1(&bytes, 0xfe);
	byte_buffer_add_u8(&bytes, 2);
	byte_buffer_add_u1(&bytes, HPROF_TYPE_DOUBLE);
	byte_buffer_add_u8(&bytes, UINT64_C(0x3ff8000000000000));
	byte_buffer_add_u2(&bytes, 2); /* fields */
	byte_buffer_add_u8(&bytes, 3);
	byte_buffer_add_u1(&bytes, HPROF_TYPE_CHAR);
	byte_buffer_add_u8(&bytes, 4);
	byte_buffer_add_u1(&bytes, HPROF_TYPE_OBJECT);
	add_instance_head(&bytes, 0x20, 0x10, 10);
	byte_buffer_add(&bytes, "0123456789", 10);
	add_object_array_head(&bytes, 0x28, 0x30, 2);
	byte_buffer_add_u8(&bytes, 0x20);
	byte_buffer_add_u8(&bytes, 0);
	add_primitive_array_head(&bytes, 0x38, HPROF_TYPE_SHORT, 3);
	byte_buffer_add(&bytes, "abcdef", 6);
	end_record(&bytes, start);
}

static void expect_sub(uint8_t tag, uint64_t object_id)
{
	ck_assert(hprof_read_sub_record(&reader, &sub));
	ck_assert_uint_eq(sub.tag, tag);
	ck_assert_uint_eq(sub.object_id, object_id);
}

static void expect_root(uint8_t tag, uint64_t object_id, uint32_t thread)
{
	expect_sub(tag, object_id);
	ck_assert_uint_eq(hprof_body_length(&reader, &sub), 0);
	if (thread != 0)
		ck_assert_uint_eq(sub.thread_serial, thread);
}

static void open_segment(void)
{
	uint8_t tag = 0;
	open_all();
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert_uint_eq(tag, HPROF_RECORD_HEAP_DUMP_SEGMENT);
}

START_TEST(sub_records_have_the_values_of_their_bytes)
{
	add_segment();
	open_segment();
	expect_root(HPROF_SUB_ROOT_UNKNOWN, 0x100, 0);
	expect_root(HPROF_SUB_ROOT_JNI_GLOBAL, 0x101, 0);
	ck_assert_uint_eq(sub.jni_id, 0x200);
	expect_root(HPROF_SUB_ROOT_JNI_LOCAL, 0x102, 0x300);
	ck_assert_uint_eq(sub.frame, 0x400);
	expect_root(HPROF_SUB_ROOT_JAVA_FRAME, 0x103, 0x300);
	ck_assert_uint_eq(sub.frame, 0x400);
	expect_root(HPROF_SUB_ROOT_NATIVE_STACK, 0x104, 0x300);
	expect_root(HPROF_SUB_ROOT_STICKY_CLASS, 0x105, 0);
	expect_root(HPROF_SUB_ROOT_THREAD_BLOCK, 0x106, 0x300);
	expect_root(HPROF_SUB_ROOT_MONITOR_USED, 0x107, 0);
	expect_root(HPROF_SUB_ROOT_THREAD_OBJECT, 0x108, 0x300);
	ck_assert_uint_eq(sub.trace_serial, 0x400);

	expect_sub(HPROF_SUB_CLASS_DUMP, 0x10);
	ck_assert_uint_eq(sub.class.super_id, 0x18);
	ck_assert_uint_eq(sub.class.instance_size, 13);
	ck_assert_uint_eq(sub.class.constant_count, 1);
	ck_assert_uint_eq(sub.class.constants[0].index, 77);
	ck_assert_uint_eq(sub.class.constants[0].value, 0x500);
	ck_assert_uint_eq(sub.class.static_count, 2);
	ck_assert_uint_eq(sub.class.statics[0].value, 0xfe);
	ck_assert_uint_eq(sub.class.statics[1].name_id, 2);
	ck_assert_uint_eq(sub.class.statics[1].value, UINT64_C(0x3ff8000000000000));
	ck_assert_uint_eq(sub.class.field_count, 2);
	ck_assert_uint_eq(sub.class.fields[0].name_id, 3);
	ck_assert_uint_eq(sub.class.fields[1].type, HPROF_TYPE_OBJECT);

	expect_sub(HPROF_SUB_INSTANCE_DUMP, 0x20);
	ck_assert_uint_eq(sub.class_id, 0x10);
	ck_assert_uint_eq(hprof_body_length(&reader, &sub), 10);
	hprof_skip(&reader, 10);
	expect_sub(HPROF_SUB_OBJECT_ARRAY_DUMP, 0x28);
	ck_assert_uint_eq(sub.class_id, 0x30);
	ck_assert_uint_eq(hprof_body_length(&reader, &sub), 16);
	ck_assert_uint_eq(hprof_read_id(&reader), 0x20);
	hprof_skip(&reader, 8);
	expect_sub(HPROF_SUB_PRIMITIVE_ARRAY_DUMP, 0x38);
	ck_assert_uint_eq(sub.type, HPROF_TYPE_SHORT);
	ck_assert_uint_eq(hprof_body_length(&reader, &sub), 6);
	hprof_skip(&reader, 6);
	ck_assert(!hprof_read_sub_record(&reader, &sub));
	ck_assert_int_eq(reader.error, 0);
	hprof_reader_close(&reader);
}
END_TEST

#define TAG(value, name, text) (value),

START_TEST(sub_records_that_name_a_thread_are_those_that_are_read_with_one)
{
	static const uint8_t tags[] = {HPROF_SUB_RECORDS(TAG)};

	for (size_t i = 0; i < sizeof(tags); i++) {
		byte_buffer_truncate(&bytes, 0);
		add_header(&bytes, "JAVA PROFILE 1.0.3", 8);
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		byte_buffer_add_u1(&bytes, tags[i]);
		byte_buffer_add_u8(&bytes, 0x100);
		for (int j = 0; j < 32; j++)
			byte_buffer_add_u4(&bytes, 0x300);
		end_record(&bytes, start);
		open_segment();
		sub.thread_serial = 0;
		(void)hprof_read_sub_record(&reader, &sub);
		ck_assert_msg(hprof_has_thread(tags[i]) == (sub.thread_serial == 0x300),
		              "tag 0x%02x", tags[i]);
		hprof_reader_close(&reader);
	}
}
END_TEST

/* Reads all sub-records of the segment, including their values and elements. */
static void read_subs(void)
{
	while (hprof_read_sub_record(&reader, &sub))
		hprof_skip(&reader, hprof_body_length(&reader, &sub));
}

START_TEST(a_segment_that_ends_within_a_sub_record_is_rejected)
{
	unsigned whole = 0;
	add_segment();
	uint32_t length = (uint32_t)(bytes.length - FILE_HEADER_BYTES - 9);
	for (uint32_t cut = 1; cut < length; cut++) {
		put_u4(&bytes, FILE_HEADER_BYTES + 5, cut);
		open_segment();
		read_subs();
		ck_assert(reader.error == 0 || reader.error == HPROF_BROKEN);
		whole += reader.error == 0;
		hprof_reader_close(&reader);
	}
	/* Cuts after each sub-record except the last are valid. */
	ck_assert_uint_eq(whole, 9 + 4 - 1);
}
END_TEST

START_TEST(objects_longer_than_their_segment_are_rejected)
{
	static const uint32_t lengths[] = {11, 0x10000000, 0x20000000, 0x7fffffff, UINT32_MAX};
	size_t header = bytes.length;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		for (int kind = 0; kind < 3; kind++) {
			byte_buffer_truncate(&bytes, header);
			size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
			if (kind == 0)
				add_instance_head(&bytes, 1, 2, lengths[i]);
			else if (kind == 1)
				add_object_array_head(&bytes, 1, 2, lengths[i]);
			else
				add_primitive_array_head(&bytes, 1, HPROF_TYPE_LONG, lengths[i]);
			byte_buffer_add_u8(&bytes, 0);
			end_record(&bytes, start);
			open_segment();
			ck_assert(!hprof_read_sub_record(&reader, &sub));
			ck_assert_int_eq(reader.error, HPROF_BROKEN);
			hprof_reader_close(&reader);
		}
	}
}
END_TEST

START_TEST(unknown_kinds_and_types_are_rejected)
{
	size_t header = bytes.length;
	for (unsigned kind = 0; kind < 256; kind++) {
		bool known =
		        (kind >= 1 && kind <= 8) || kind == 0xff || (kind >= 0x20 && kind <= 0x23);
		byte_buffer_truncate(&bytes, header);
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		byte_buffer_add_u1(&bytes, (uint8_t)kind);
		for (int i = 0; i < 16; i++)
			byte_buffer_add_u8(&bytes, 0);
		end_record(&bytes, start);
		open_segment();
		/* 0 is not a valid type either. */
		ck_assert(hprof_read_sub_record(&reader, &sub) == (known && kind != 0x23));
		hprof_reader_close(&reader);
	}
	for (unsigned type = 0; type < 256; type++) {
		byte_buffer_truncate(&bytes, header);
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		add_primitive_array_head(&bytes, 1, (uint8_t)type, 1);
		byte_buffer_add_u8(&bytes, 0);
		end_record(&bytes, start);
		open_segment();
		ck_assert(hprof_read_sub_record(&reader, &sub) == (type >= 4 && type <= 11));
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(lists_of_a_class_longer_than_their_segment_are_rejected)
{
	size_t header = bytes.length;
	for (int list = 0; list < 3; list++) {
		byte_buffer_truncate(&bytes, header);
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		add_class_head(&bytes, 0x10, 0, 0);
		for (int i = 0; i < 3; i++)
			byte_buffer_add_u2(&bytes, i == list ? UINT16_MAX : 0);
		end_record(&bytes, start);
		open_segment();
		ck_assert(!hprof_read_sub_record(&reader, &sub));
		ck_assert_int_eq(reader.error, HPROF_BROKEN);
		hprof_reader_close(&reader);
	}
}
END_TEST

START_TEST(lists_of_a_class_may_have_the_largest_counts)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_class_head(&bytes, 0x10, 0, 0);
	byte_buffer_add_u2(&bytes, UINT16_MAX);
	for (uint16_t i = 0; i < UINT16_MAX; i++) {
		byte_buffer_add_u2(&bytes, i);
		byte_buffer_add_u1(&bytes, HPROF_TYPE_BOOLEAN);
		byte_buffer_add_u1(&bytes, 1);
	}
	for (int list = 0; list < 2; list++) {
		byte_buffer_add_u2(&bytes, UINT16_MAX);
		for (uint16_t i = 0; i < UINT16_MAX; i++) {
			byte_buffer_add_u8(&bytes, i);
			byte_buffer_add_u1(&bytes, HPROF_TYPE_BOOLEAN);
			if (list == 0)
				byte_buffer_add_u1(&bytes, 1);
		}
	}
	end_record(&bytes, start);
	open_segment();
	expect_sub(HPROF_SUB_CLASS_DUMP, 0x10);
	ck_assert_uint_eq(sub.class.constants[UINT16_MAX - 1].index, UINT16_MAX - 1);
	ck_assert_uint_eq(sub.class.statics[UINT16_MAX - 1].name_id, UINT16_MAX - 1);
	ck_assert_uint_eq(sub.class.fields[UINT16_MAX - 1].name_id, UINT16_MAX - 1);
	ck_assert(!hprof_read_sub_record(&reader, &sub));
	ck_assert_int_eq(reader.error, 0);
	hprof_reader_close(&reader);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hprof reader");
	TCase *files = tcase_create("files and records");
	TCase *heap = tcase_create("heap dumps");

	tcase_add_checked_fixture(files, set_up, tear_down);
	tcase_add_test(files, all_versions_and_both_sizes_of_ids_are_read);
	tcase_add_test(files, other_headers_are_rejected);
	tcase_add_test(files, a_truncated_header_is_rejected);
	tcase_add_test(files, a_read_error_is_reported);
	tcase_add_test(files, numbers_have_their_highest_byte_first);
	tcase_add_test(files, the_rest_of_a_record_is_skipped_by_the_next_one);
	tcase_add_test(files, nothing_is_read_past_the_end_of_a_record);
	tcase_add_test(files, a_truncated_record_is_rejected);
	tcase_add_test(files, a_record_longer_than_its_file_is_rejected);
	tcase_add_test(files, records_may_be_longer_than_the_window);
	tcase_add_checked_fixture(heap, set_up, tear_down);
	tcase_add_test(heap, sub_records_have_the_values_of_their_bytes);
	tcase_add_test(heap, sub_records_that_name_a_thread_are_those_that_are_read_with_one);
	tcase_add_test(heap, a_segment_that_ends_within_a_sub_record_is_rejected);
	tcase_add_test(heap, objects_longer_than_their_segment_are_rejected);
	tcase_add_test(heap, unknown_kinds_and_types_are_rejected);
	tcase_add_test(heap, lists_of_a_class_longer_than_their_segment_are_rejected);
	tcase_add_test(heap, lists_of_a_class_may_have_the_largest_counts);
	suite_add_tcase(suite, files);
	suite_add_tcase(suite, heap);
	return run_suite(suite);
}
