/*
 * Tests of `hprof check`: a good file has no errors and its records are counted; a file that is
 * truncated, or damaged in any of the ways below, has errors; random bytes are never read past
 * their end and never end the program.
 */
#include "heap_fixture.h"
#include "run_suite.h"

#include "check/check.h"
#include "console/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { CLASS_ID = 0x1000, SUPER_ID = 0x2000, TRACE = 7, FRAME = 5 };

static struct byte_buffer bytes;
static struct check_result result;

static void set_up(void)
{
	byte_buffer_init(&bytes);
}

static void tear_down(void)
{
	byte_buffer_free(&bytes);
}

static void check_bytes(const void *data, size_t length)
{
	struct input *input = input_of_bytes(data, length);
	ck_assert_ptr_nonnull(input);
	check_profile(input_source(input), &result);
	input_close(input);
}

static void check_all(void)
{
	check_bytes(bytes.bytes, bytes.length);
}

/* Exactly one error, at offset, whose text contains part. */
static void expect_one_error(const char *part, size_t offset)
{
	check_all();
	ck_assert_int_eq(result.read_error, 0);
	ck_assert_msg(result.error_count == 1, "%d errors, the first: %s", (int)result.error_count,
	              result.errors[0].text);
	ck_assert_msg(strstr(result.errors[0].text, part) != NULL, "%s", result.errors[0].text);
	ck_assert_uint_eq(result.errors[0].offset, offset);
}

static void add_trace(uint32_t serial, uint64_t frame)
{
	size_t start = begin_record(&bytes, 0x05);
	byte_buffer_add_u4(&bytes, serial);
	byte_buffer_add_u4(&bytes, 0);
	byte_buffer_add_u4(&bytes, 1);
	byte_buffer_add_u8(&bytes, frame);
	end_record(&bytes, start);
}

static void add_frame(uint64_t id, uint64_t method, uint32_t class, uint32_t line)
{
	size_t start = begin_record(&bytes, 0x04);
	byte_buffer_add_u8(&bytes, id);
	byte_buffer_add_u8(&bytes, method);
	byte_buffer_add_u8(&bytes, 3);
	byte_buffer_add_u8(&bytes, 0);
	byte_buffer_add_u4(&bytes, class);
	byte_buffer_add_u4(&bytes, line);
	end_record(&bytes, start);
}

/* A header, strings 1 to 4, classes 1 and 2, a frame and a trace. */
static void add_names(void)
{
	add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
	add_string(&bytes, 1, "A");
	add_string(&bytes, 2, "run");
	add_string(&bytes, 3, "()V");
	add_string(&bytes, 4, "B");
	add_load_class(&bytes, 1, CLASS_ID, 1);
	add_load_class(&bytes, 2, SUPER_ID, 4);
	add_frame(FRAME, 2, 1, 12);
	add_trace(TRACE, FRAME);
}

static void add_class_dump(uint64_t id, uint64_t super, uint8_t type)
{
	add_class_head(&bytes, id, super, 0);
	byte_buffer_add_u2(&bytes, 0);
	byte_buffer_add_u2(&bytes, 0);
	byte_buffer_add_u2(&bytes, 1);
	byte_buffer_add_u8(&bytes, 2);
	byte_buffer_add_u1(&bytes, type);
}

static void add_instance(uint64_t class, uint32_t length)
{
	static const uint8_t values[32];
	add_instance_head(&bytes, 0x3000, class, length);
	byte_buffer_add(&bytes, values, length);
}

/* A segment of two classes with a field each, an instance of 8 + 4 bytes, two arrays. */
static size_t add_segment(void)
{
	static const uint8_t elements[8];
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_class_dump(SUPER_ID, 0, HPROF_TYPE_INT);
	add_class_dump(CLASS_ID, SUPER_ID, HPROF_TYPE_OBJECT);
	add_instance(CLASS_ID, 12);
	add_object_array_head(&bytes, 0x3001, CLASS_ID, 1);
	byte_buffer_add(&bytes, elements, 8);
	add_primitive_array_head(&bytes, 0x3002, HPROF_TYPE_CHAR, 4);
	byte_buffer_add(&bytes, elements, 8);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_STICKY_CLASS);
	byte_buffer_add_u8(&bytes, CLASS_ID);
	return start;
}

static void add_segments_end(void)
{
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
}

static void add_samples(uint32_t total, uint32_t count, uint32_t trace)
{
	size_t start = begin_record(&bytes, 0x0d);
	byte_buffer_add_u4(&bytes, total);
	byte_buffer_add_u4(&bytes, 1);
	byte_buffer_add_u4(&bytes, count);
	byte_buffer_add_u4(&bytes, trace);
	end_record(&bytes, start);
}

static void add_good_file(void)
{
	add_names();
	add_samples(10, 10, TRACE);
	end_record(&bytes, add_segment());
	add_segments_end();
}

START_TEST(a_good_file_has_no_errors_and_is_counted)
{
	add_good_file();
	check_all();
	ck_assert_msg(result.error_count == 0, "%s", result.errors[0].text);
	ck_assert_int_eq(result.read_error, 0);
	ck_assert_uint_eq(result.version, 2);
	ck_assert_uint_eq(result.id_size, 8);
	ck_assert_uint_eq(result.records[HPROF_RECORD_STRING].records, 4);
	ck_assert_uint_eq(result.records[HPROF_RECORD_LOAD_CLASS].records, 2);
	ck_assert_uint_eq(result.records[HPROF_RECORD_LOAD_CLASS].bytes, 2 * (9 + 24));
	ck_assert_uint_eq(result.subrecords[HPROF_SUB_INSTANCE_DUMP].records, 1);
	ck_assert_uint_eq(result.subrecords[HPROF_SUB_INSTANCE_DUMP].bytes, 25 + 12);
	ck_assert_uint_eq(result.subrecords[HPROF_SUB_CLASS_DUMP].records, 2);
	uint64_t sum = FILE_HEADER_BYTES;
	for (int tag = 0; tag < CHECK_TAGS; tag++)
		sum += result.records[tag].bytes;
	ck_assert_uint_eq(sum, bytes.length);
}
END_TEST

/* Between records a file may end, except the last two: a dump needs its end. */
START_TEST(a_file_that_is_cut_off_is_refused)
{
	size_t boundaries[32];
	size_t count = 0;

	add_good_file();
	for (size_t at = FILE_HEADER_BYTES; at < bytes.length;) {
		boundaries[count++] = at;
		at += 9 + hprof_u4_at(bytes.bytes + at + 5);
	}
	for (size_t length = 0; length < bytes.length; length++) {
		bool whole = false;
		for (size_t i = 0; i + 1 < count; i++)
			whole = whole || boundaries[i] == length;
		/* In memory that ends where the file does, for the address sanitizer. */
		uint8_t *cut = malloc(length + 1);
		ck_assert_ptr_nonnull(cut);
		memcpy(cut, bytes.bytes, length);
		check_bytes(cut, length);
		free(cut);
		ck_assert_msg((result.error_count == 0) == whole, "cut to %d bytes: %d errors",
		              (int)length, (int)result.error_count);
		ck_assert_int_eq(result.read_error, 0);
	}
}
END_TEST

START_TEST(other_files_are_refused)
{
	static const char text[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n\n";
	check_bytes(text, sizeof(text) - 1);
	ck_assert_uint_eq(result.error_count, 1);
	add_header(&bytes, "JAVA PROFILE 1.0.2", 5);
	expect_one_error("header", 0);
	ck_assert(!result.header_read);
}
END_TEST

START_TEST(an_unknown_record_is_reported_and_those_behind_it_are_checked)
{
	add_names();
	size_t at = bytes.length;
	size_t start = begin_record(&bytes, 0x77);
	byte_buffer_add_u8(&bytes, 1);
	end_record(&bytes, start);
	add_samples(1, 1, TRACE);
	expect_one_error("unknown tag 0x77", at);
	ck_assert_uint_eq(result.records[0x0d].records, 1);
	add_samples(1, 1, 99);
	check_all();
	ck_assert_uint_eq(result.error_count, 2);
}
END_TEST

START_TEST(a_record_of_a_wrong_length_is_reported_and_those_behind_it_are_checked)
{
	for (int change = -1; change <= 1; change += 2) {
		byte_buffer_truncate(&bytes, 0);
		add_names();
		size_t at = bytes.length;
		size_t start = begin_record(&bytes, 0x03);
		byte_buffer_add_u4(&bytes, 1);
		if (change > 0)
			byte_buffer_add_u1(&bytes, 0);
		else
			byte_buffer_truncate(&bytes, bytes.length - 1);
		end_record(&bytes, start);
		add_samples(1, 1, TRACE);
		expect_one_error(change > 0 ? "1 extra bytes at its end" : "too short", at);
		ck_assert_uint_eq(result.records[0x0d].records, 1);
	}
}
END_TEST

START_TEST(undefined_references_are_reported)
{
	add_names();
	size_t length = bytes.length;

	add_load_class(&bytes, 3, 0x4000, 44);
	expect_one_error("class name string 44", length);
	byte_buffer_truncate(&bytes, length);
	add_frame(6, 99, 1, 1);
	expect_one_error("method name string 99", length);
	byte_buffer_truncate(&bytes, length);
	add_frame(6, 2, 9, 1);
	expect_one_error("class 9", length);
	byte_buffer_truncate(&bytes, length);
	add_frame(6, 2, 1, (uint32_t)-4);
	expect_one_error("line number -4", length);
	byte_buffer_truncate(&bytes, length);
	add_trace(8, 77);
	expect_one_error("frame 77", length);
	byte_buffer_truncate(&bytes, length);
	add_samples(1, 1, 8);
	expect_one_error("trace 8", length);
	byte_buffer_truncate(&bytes, length);
	add_string(&bytes, 1, "again");
	expect_one_error("string 1 again", length);
	byte_buffer_truncate(&bytes, length);
	add_samples(1, 2, TRACE);
	expect_one_error("2 samples", length);
}
END_TEST

START_TEST(the_trace_of_a_class_may_come_later_but_must_come)
{
	add_names();
	size_t at = bytes.length;
	add_load_class(&bytes, 3, 0x4000, 1);
	put_u4(&bytes, at + 9 + 4 + 8, 8);
	expect_one_error("trace 8 is not in the file", at);
	add_trace(8, FRAME);
	check_all();
	ck_assert_uint_eq(result.error_count, 0);
}
END_TEST

START_TEST(a_count_that_does_not_fit_its_record_is_reported)
{
	add_names();
	size_t at = bytes.length;
	add_trace(8, FRAME);
	put_u4(&bytes, at + 9 + 8, UINT32_MAX);
	expect_one_error("4294967295 frames, but 8 bytes for them", at);
}
END_TEST

START_TEST(the_last_row_of_sites_is_checked_up_to_where_the_file_ends)
{
	add_names();
	size_t start = begin_record(&bytes, HPROF_RECORD_ALLOC_SITES);
	for (int i = 0; i < 30; i++)
		byte_buffer_add_u1(&bytes, 0);
	byte_buffer_add_u4(&bytes, 1);
	byte_buffer_add_u1(&bytes, 0);
	byte_buffer_add_u4(&bytes, 9);
	byte_buffer_add_u4(&bytes, TRACE);
	for (int i = 0; i < 4; i++)
		byte_buffer_add_u4(&bytes, 0);
	end_record(&bytes, start);
	expect_one_error("class 9 has not been defined", start - 9);
	for (size_t cut = 1; cut <= HPROF_SITE_BYTES; cut++) {
		check_bytes(bytes.bytes, bytes.length - cut);
		ck_assert_uint_eq(result.error_count, cut <= HPROF_SITE_BYTES - 5 ? 2 : 1);
	}
}
END_TEST

START_TEST(objects_stay_in_their_segment)
{
	static const struct {
		uint8_t tag;
		const char *name;
	} kinds[] = {{HPROF_SUB_INSTANCE_DUMP, "INSTANCE DUMP"},
	             {HPROF_SUB_OBJECT_ARRAY_DUMP, "OBJECT ARRAY DUMP"},
	             {HPROF_SUB_PRIMITIVE_ARRAY_DUMP, "PRIMITIVE ARRAY DUMP"}};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		byte_buffer_truncate(&bytes, 0);
		add_names();
		size_t start = add_segment();
		size_t at = bytes.length;
		if (kinds[i].tag == HPROF_SUB_INSTANCE_DUMP)
			add_instance_head(&bytes, 0x5000, CLASS_ID, 12);
		else if (kinds[i].tag == HPROF_SUB_OBJECT_ARRAY_DUMP)
			add_object_array_head(&bytes, 0x5000, CLASS_ID, UINT32_MAX);
		else
			add_primitive_array_head(&bytes, 0x5000, HPROF_TYPE_LONG, UINT32_MAX);
		end_record(&bytes, start);
		add_segments_end();
		expect_one_error("past the end of its segment", at);
		ck_assert_msg(strstr(result.errors[0].text, kinds[i].name) != NULL, "%s",
		              result.errors[0].text);
	}
}
END_TEST

START_TEST(an_unknown_sub_record_is_reported)
{
	add_names();
	size_t start = add_segment();
	size_t at = bytes.length;
	byte_buffer_add_u1(&bytes, 0x66);
	byte_buffer_add_u8(&bytes, 1);
	end_record(&bytes, start);
	add_segments_end();
	expect_one_error("unknown tag 0x66", at);
}
END_TEST

START_TEST(an_instance_has_the_values_of_its_class_and_those_above)
{
	add_names();
	size_t start = add_segment();
	size_t at = bytes.length;
	add_instance(CLASS_ID, 8);
	end_record(&bytes, start);
	add_segments_end();
	expect_one_error("8 bytes of values, but its class has 12", at);
}
END_TEST

START_TEST(a_ring_of_super_classes_is_no_trap)
{
	add_names();
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_class_dump(SUPER_ID, CLASS_ID, HPROF_TYPE_INT);
	add_class_dump(CLASS_ID, SUPER_ID, HPROF_TYPE_INT);
	add_instance(CLASS_ID, 8);
	end_record(&bytes, start);
	add_segments_end();
	check_all();
	ck_assert_uint_eq(result.subrecords[HPROF_SUB_INSTANCE_DUMP].records, 1);
}
END_TEST

/* The whole dump is checked and counted; that its segments divide an object is one error. */
START_TEST(objects_in_two_segments_are_errors_that_lose_nothing)
{
	struct byte_buffer good;

	add_good_file();
	check_all();
	struct check_result whole = result;
	size_t segment =
	        bytes.length - 9 - (size_t)whole.records[HPROF_RECORD_HEAP_DUMP_SEGMENT].bytes;
	size_t body = segment + 9;
	good = bytes;
	byte_buffer_init(&bytes);
	for (size_t at = body + 1; at < good.length - 9; at++) {
		byte_buffer_truncate(&bytes, 0);
		byte_buffer_add(&bytes, good.bytes, at);
		put_u4(&bytes, segment + 5, (uint32_t)(at - body));
		size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
		byte_buffer_add(&bytes, good.bytes + at, good.length - 9 - at);
		end_record(&bytes, start);
		add_segments_end();
		check_all();
		ck_assert_uint_le(result.error_count, 1);
		if (result.error_count == 1)
			ck_assert_ptr_nonnull(strstr(result.errors[0].text, "into the next one"));
		ck_assert_uint_eq(result.records[HPROF_RECORD_HEAP_DUMP_SEGMENT].records, 2);
		for (int tag = 0; tag < CHECK_TAGS; tag++)
			ck_assert_uint_eq(result.subrecords[tag].records,
			                  whole.subrecords[tag].records);
		ck_assert_uint_eq(result.missing.objects, whole.missing.objects);
	}
	byte_buffer_free(&good);
}
END_TEST

START_TEST(segments_have_an_end_and_an_end_has_segments)
{
	add_names();
	size_t at = bytes.length;
	add_segments_end();
	expect_one_error("no HEAP DUMP SEGMENT before it", at);
	byte_buffer_truncate(&bytes, at);
	end_record(&bytes, add_segment());
	expect_one_error("no HEAP DUMP END", bytes.length);
}
END_TEST

static void add_thread_start(uint32_t serial)
{
	size_t start = begin_record(&bytes, 0x0a);
	byte_buffer_add_u4(&bytes, serial);
	byte_buffer_add_u8(&bytes, 0x5000);
	byte_buffer_add_u4(&bytes, TRACE);
	byte_buffer_add_u8(&bytes, 2);
	byte_buffer_add_u8(&bytes, 2);
	byte_buffer_add_u8(&bytes, 2);
	end_record(&bytes, start);
}

/* A segment with one more root; where that is. */
static size_t add_frame_root(uint32_t thread)
{
	size_t start = add_segment();
	size_t at = bytes.length;
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_JAVA_FRAME);
	byte_buffer_add_u8(&bytes, 0x3000);
	byte_buffer_add_u4(&bytes, thread);
	byte_buffer_add_u4(&bytes, 0);
	end_record(&bytes, start);
	add_segments_end();
	return at;
}

START_TEST(a_thread_of_a_root_has_its_start_before)
{
	add_names();
	add_thread_start(200001);
	size_t length = bytes.length;

	(void)add_frame_root(200001);
	check_all();
	ck_assert_uint_eq(result.error_count, 0);
	byte_buffer_truncate(&bytes, length);
	size_t at = add_frame_root(200002);
	expect_one_error("thread 200002 has no START THREAD before it", at);
	add_thread_start(200002);
	expect_one_error("thread 200002 has no START THREAD before it", at);
}
END_TEST

START_TEST(a_thread_of_a_trace_has_its_start_before)
{
	add_names();
	add_thread_start(200001);
	size_t at = bytes.length;
	add_trace(8, FRAME);
	put_u4(&bytes, at + 9 + 4, 200003);
	expect_one_error("thread 200003", at);
	put_u4(&bytes, at + 9 + 4, 200000); /* no thread in particular */
	check_all();
	ck_assert_uint_eq(result.error_count, 0);
}
END_TEST

START_TEST(a_thread_is_known_even_if_its_record_ends_inside_its_names)
{
	add_names();
	size_t at = bytes.length;
	add_thread_start(200001);
	byte_buffer_truncate(&bytes, bytes.length - 9);
	end_record(&bytes, at + 9);
	size_t trace = bytes.length;
	add_trace(8, FRAME);
	put_u4(&bytes, trace + 9 + 4, 200001);
	expect_one_error("too short for its fields", at);
}
END_TEST

/* As the JVM's own dumper does. */
START_TEST(a_file_need_not_have_starts_of_threads)
{
	add_names();
	(void)add_frame_root(7);
	check_all();
	ck_assert_uint_eq(result.error_count, 0);
}
END_TEST

static void missing_are(uint64_t count)
{
	char warning[128];
	struct byte_buffer text;

	check_all();
	ck_assert_msg(result.error_count == 0, "%s", result.errors[0].text);
	ck_assert_uint_eq(result.missing.objects, count);
	ck_assert_uint_eq(result.missing.classes, 0);
	byte_buffer_init(&text);
	check_describe(&text, "x", &result);
	byte_buffer_add_u1(&text, '\0');
	(void)snprintf(warning, sizeof(warning), "x: warning: at least %d object", (int)count);
	ck_assert((strstr((const char *)text.bytes, warning) != NULL) == (count > 0));
	byte_buffer_free(&text);
}

static void add_object_array(uint64_t id, uint64_t element)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_object_array_head(&bytes, id, CLASS_ID, 2);
	byte_buffer_add_u8(&bytes, 0);
	byte_buffer_add_u8(&bytes, element);
	end_record(&bytes, start);
}

START_TEST(elements_and_roots_that_lead_to_nothing_are_counted)
{
	add_names();
	end_record(&bytes, add_segment());
	size_t length = bytes.length;

	add_object_array(0x3100, 0x3200);
	add_segments_end();
	missing_are(1);
	byte_buffer_truncate(&bytes, length);
	add_object_array(0x3100, 0x3200);
	add_object_array(0x3200, 0x3100); /* it comes later */
	add_segments_end();
	missing_are(0);
	byte_buffer_truncate(&bytes, length);
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_UNKNOWN);
	byte_buffer_add_u8(&bytes, 0x3300);
	end_record(&bytes, start);
	add_segments_end();
	missing_are(1);
}
END_TEST

/* Has the same bit as the other in the table of objects. */
static uint64_t id_that_hides(uint64_t behind)
{
	uint64_t id = 1;
	while (id == behind || address_hash(id) >> 37 != address_hash(behind) >> 37)
		id++;
	return id;
}

START_TEST(roots_that_are_no_class_of_their_dump_are_counted_exactly)
{
	static const char one[] = "\nx: warning: 1 class that is a root of a heap dump has no "
	                          "CLASS DUMP in it\nx: no errors\n";
	struct byte_buffer text;

	add_names();
	end_record(&bytes, add_segment());
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	for (int i = 0; i < 2; i++) {
		byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_STICKY_CLASS);
		byte_buffer_add_u8(&bytes, id_that_hides(CLASS_ID));
	}
	end_record(&bytes, start);
	add_segments_end();
	check_all();
	ck_assert_uint_eq(result.missing.classes, 1);
	ck_assert_uint_eq(result.missing.objects, 0);
	byte_buffer_init(&text);
	check_describe(&text, "x", &result);
	byte_buffer_add_u1(&text, '\0');
	ck_assert_ptr_nonnull(strstr((const char *)text.bytes, one));
	byte_buffer_free(&text);

	/* The class of one dump is none of the next. */
	start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_STICKY_CLASS);
	byte_buffer_add_u8(&bytes, CLASS_ID);
	end_record(&bytes, start);
	add_segments_end();
	check_all();
	ck_assert_uint_eq(result.missing.classes, 2);
}
END_TEST

/* The field of its class comes first, then the one above. */
START_TEST(fields_that_lead_to_nothing_are_counted)
{
	add_names();
	end_record(&bytes, add_segment());
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_instance_head(&bytes, 0x3100, CLASS_ID, 12);
	size_t at = bytes.length;
	byte_buffer_add_u8(&bytes, 0x3200);
	byte_buffer_add_u4(&bytes, 0x3300);
	end_record(&bytes, start);
	add_segments_end();
	missing_are(1);
	put_u4(&bytes, at + 4, 0x3001);
	missing_are(0);
}
END_TEST

START_TEST(an_object_of_another_dump_is_missing)
{
	add_names();
	end_record(&bytes, add_segment());
	add_segments_end();
	missing_are(0);
	end_record(&bytes, add_segment());
	add_object_array(0x3100, 0x3200);
	add_segments_end();
	end_record(&bytes, add_segment());
	add_object_array(0x3200, 0x3100);
	add_segments_end();
	missing_are(2);
}
END_TEST

START_TEST(errors_are_counted_and_the_first_are_kept)
{
	add_names();
	for (uint32_t i = 0; i < 25; i++)
		add_samples(1, 1, 1000 + i);
	check_all();
	ck_assert_uint_eq(result.error_count, 25);
	ck_assert_ptr_nonnull(strstr(result.errors[CHECK_ERRORS_KEPT - 1].text, "1009"));
	struct byte_buffer text;
	byte_buffer_init(&text);
	check_describe(&text, "file", &result);
	byte_buffer_add_u1(&text, 0);
	ck_assert_int_eq(text.error, 0);
	ck_assert_ptr_nonnull(
	        strstr((char *)text.bytes, "file: ... and 15 more\nfile: 25 errors\n"));
	byte_buffer_free(&text);
}
END_TEST

/* ---- compressed files ------------------------------------------------------ */

/* Appends a gzip member that holds length bytes. */
static void pack(struct byte_buffer *packed, const uint8_t *data, size_t length)
{
	uint8_t room[4096];
	z_stream packer = {0};
	ck_assert_int_eq(deflateInit2(&packer, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, 0), Z_OK);
	packer.next_in = (uint8_t *)(uintptr_t)data;
	packer.avail_in = (uInt)length;
	packer.next_out = room;
	packer.avail_out = sizeof(room);
	ck_assert_int_eq(deflate(&packer, Z_FINISH), Z_STREAM_END);
	byte_buffer_add(packed, room, sizeof(room) - packer.avail_out);
	(void)deflateEnd(&packer);
}

START_TEST(compressed_files_of_many_members_are_unpacked)
{
	struct byte_buffer packed;
	byte_buffer_init(&packed);
	add_good_file();
	for (size_t at = 0; at < bytes.length; at += 7)
		pack(&packed, bytes.bytes + at, bytes.length - at < 7 ? bytes.length - at : 7);
	check_bytes(packed.bytes, packed.length);
	ck_assert_uint_eq(result.error_count, 0);
	ck_assert_int_eq(result.read_error, 0);
	ck_assert_uint_eq(result.records[HPROF_RECORD_STRING].records, 4);
	byte_buffer_free(&packed);
}
END_TEST

START_TEST(a_compressed_file_that_is_cut_off_is_reported)
{
	struct byte_buffer packed;
	byte_buffer_init(&packed);
	add_good_file();
	pack(&packed, bytes.bytes, bytes.length);
	for (size_t length = 3; length < packed.length; length++) {
		check_bytes(packed.bytes, length);
		ck_assert(result.read_error == INPUT_BROKEN);
	}
	byte_buffer_free(&packed);
}
END_TEST

/* ---- random files ---------------------------------------------------------- */

START_TEST(random_changes_are_read_to_the_end)
{
	uint32_t random = 12345;
	add_good_file();
	for (int round = 0; round < 2000; round++) {
		uint8_t *changed = malloc(bytes.length);
		ck_assert_ptr_nonnull(changed);
		memcpy(changed, bytes.bytes, bytes.length);
		for (int i = 0; i < 1 + round % 3; i++) {
			random = random * 1664525 + 1013904223;
			changed[(random >> 8) % bytes.length] = (uint8_t)(random >> 3);
		}
		check_bytes(changed, bytes.length);
		free(changed);
		ck_assert(result.read_error == 0 || result.read_error == INPUT_BROKEN);
	}
}
END_TEST

static Suite *check_suite(void)
{
	Suite *suite = suite_create("check");
	TCase *tests = tcase_create("files");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_good_file_has_no_errors_and_is_counted);
	tcase_add_test(tests, a_file_that_is_cut_off_is_refused);
	tcase_add_test(tests, other_files_are_refused);
	tcase_add_test(tests, an_unknown_record_is_reported_and_those_behind_it_are_checked);
	tcase_add_test(tests,
	               a_record_of_a_wrong_length_is_reported_and_those_behind_it_are_checked);
	tcase_add_test(tests, undefined_references_are_reported);
	tcase_add_test(tests, the_trace_of_a_class_may_come_later_but_must_come);
	tcase_add_test(tests, a_count_that_does_not_fit_its_record_is_reported);
	tcase_add_test(tests, the_last_row_of_sites_is_checked_up_to_where_the_file_ends);
	tcase_add_test(tests, objects_stay_in_their_segment);
	tcase_add_test(tests, an_unknown_sub_record_is_reported);
	tcase_add_test(tests, an_instance_has_the_values_of_its_class_and_those_above);
	tcase_add_test(tests, a_ring_of_super_classes_is_no_trap);
	tcase_add_test(tests, objects_in_two_segments_are_errors_that_lose_nothing);
	tcase_add_test(tests, segments_have_an_end_and_an_end_has_segments);
	tcase_add_test(tests, a_thread_of_a_root_has_its_start_before);
	tcase_add_test(tests, a_thread_of_a_trace_has_its_start_before);
	tcase_add_test(tests, a_thread_is_known_even_if_its_record_ends_inside_its_names);
	tcase_add_test(tests, a_file_need_not_have_starts_of_threads);
	tcase_add_test(tests, elements_and_roots_that_lead_to_nothing_are_counted);
	tcase_add_test(tests, fields_that_lead_to_nothing_are_counted);
	tcase_add_test(tests, an_object_of_another_dump_is_missing);
	tcase_add_test(tests, roots_that_are_no_class_of_their_dump_are_counted_exactly);
	tcase_add_test(tests, errors_are_counted_and_the_first_are_kept);
	tcase_add_test(tests, compressed_files_of_many_members_are_unpacked);
	tcase_add_test(tests, a_compressed_file_that_is_cut_off_is_reported);
	tcase_add_test(tests, random_changes_are_read_to_the_end);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(check_suite());
}
