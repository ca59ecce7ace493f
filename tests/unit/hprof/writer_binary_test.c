/*
 * Tests of the binary format: every byte of each record except TIME, which has its
 * own test.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include "base/byte_buffer.h"

/* Header and empty trace, with ids of 4 bytes. */
#define HEADER_LENGTH (19 + 4 + 8 + 9 + 12)

#define STRING_MAIN "01 ???????? 00000008 00000001 'main' "
#define STRING_GROUP "01 ???????? 0000000a 00000002 'system' "
#define STRING_NONE "01 ???????? 00000004 00000003 "
#define STRING_CLASS "01 ???????? 0000000a 00000004 'Sample' "
#define STRING_WORK "01 ???????? 00000008 00000005 'work' "
#define STRING_LOCKED "01 ???????? 0000000a 00000006 'locked' "
#define STRING_SOURCE "01 ???????? 0000000f 00000007 'Sample.java' "
#define STRING_SIGNATURE "01 ???????? 00000008 00000008 '(I)V' "
#define STRING_LAMBDA "01 ???????? 00000017 00000009 'Sample$$Lambda/0x1f' "
#define STRING_RUN "01 ???????? 00000007 0000000a 'run' "

/* serial 100001, object, trace 300000, name */
#define LOAD_SAMPLE "02 ???????? 00000010 000186a1 50000010 000493e0 00000004 "
#define LOAD_LAMBDA "02 ???????? 00000010 000186a2 50000011 000493e0 00000009 "

static struct memory_sink *memory;
static struct record_writer *writer;

static void make_writer(void)
{
	memory = memory_sink_reset();
	writer = writer_create(&record_format_binary, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
}

static void expect_records(const char *pattern)
{
	ck_assert_int_eq(writer_close(writer), 0);
	ck_assert_uint_ge(memory->length, HEADER_LENGTH);
	expect_bytes(memory->bytes + HEADER_LENGTH, memory->length - HEADER_LENGTH, pattern);
}

/* Writes the traces that the rows of a record refer to; returns the offset after them. */
static size_t write_traces(void)
{
	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	return memory->length;
}

static void expect_records_from(size_t start, const char *pattern)
{
	ck_assert_int_eq(writer_close(writer), 0);
	expect_bytes(memory->bytes + start, memory->length - start, pattern);
}

START_TEST(a_profile_begins_with_header_and_empty_trace)
{
	expect_bytes(memory->bytes, memory->length,
	             "'JAVA PROFILE 1.0.1' 00 00000004 000001a1fc07f813"
	             "05 ???????? 0000000c 000493e0 00000000 00000000");
	expect_records("");
}
END_TEST

START_TEST(ids_can_have_8_bytes)
{
	writer_close(writer);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_binary, &memory->sink, 8, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	writer_trace(writer, &trace_locked);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_bytes(memory->bytes, memory->length,
	             "'JAVA PROFILE 1.0.1' 00 00000008 000001a1fc07f813"
	             "05 ???????? 0000000c 000493e0 00000000 00000000"
	             "01 ???????? 0000000e 0000000000000004 'Sample'"
	             "02 ???????? 00000018 000186a1 0000000050000010 000493e0 0000000000000004"
	             "01 ???????? 0000000e 0000000000000006 'locked'"
	             "01 ???????? 0000000c 0000000000000008 '(I)V'"
	             "01 ???????? 00000013 0000000000000007 'Sample.java'"
	             "04 ???????? 00000028 0000000000000002 0000000000000006 0000000000000008"
	             " 0000000000000007 000186a1 fffffffd"
	             "05 ???????? 00000014 000493e2 00030d41 00000001 0000000000000002");
}
END_TEST

START_TEST(threads_start_with_their_strings_and_end)
{
	writer_thread_start(writer, &thread_main);
	writer_thread_end(writer, &thread_main);
	writer_thread_start(writer, &thread_main);
	expect_records(
	        STRING_MAIN STRING_GROUP STRING_NONE
	        "0a ???????? 00000018 00030d41 500001c3 000493e0 00000001 00000002 00000003"
	        "0b ???????? 00000004 00030d41"
	        "0a ???????? 00000018 00030d41 500001c3 000493e0 00000001 00000002 00000003");
}
END_TEST

START_TEST(traces_come_after_all_that_they_refer_to)
{
	writer_trace(writer, &trace_work);
	expect_records(
	        /* work, line 6 */
	        STRING_CLASS LOAD_SAMPLE STRING_WORK STRING_SIGNATURE STRING_SOURCE
	        "04 ???????? 00000018 00000001 00000005 00000008 00000007 000186a1 00000006"
	        /* locked, native */
	        STRING_LOCKED
	        "04 ???????? 00000018 00000002 00000006 00000008 00000007 000186a1 fffffffd"
	        /* run, no source, unknown line */
	        STRING_LAMBDA LOAD_LAMBDA STRING_RUN
	        "04 ???????? 00000018 00000003 0000000a 00000008 00000000 000186a2 ffffffff"
	        /* work, no line information */
	        "04 ???????? 00000018 00000004 00000005 00000008 00000007 000186a1 00000000"
	        "05 ???????? 0000001c 000493e1 00000000 00000004"
	        " 00000001 00000002 00000003 00000004");
}
END_TEST

START_TEST(nothing_is_written_twice)
{
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	size_t before = memory->length;
	const struct trace again = {
	        .serial = 300009, .thread_serial = 0, .depth = 1, .frames = frames_locked};

	writer_trace(writer, &again);
	writer_class_load(writer, &class_sample);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_bytes(memory->bytes + before, memory->length - before,
	             "05 ???????? 00000010 000493e9 00000000 00000001 00000002");
}
END_TEST

/* Another thread may have added a trace but not have written it yet. */
START_TEST(a_missing_trace_is_written_before_the_record_that_refers_to_it)
{
	const struct cost_row rows[] = {{&trace_locked, 2}, {&trace_work, 0}};
	const struct cpu_samples_record record = {.total = 2, .row_count = 2, .rows = rows};

	writer_cpu_samples(writer, &record);
	writer_trace(writer, &trace_locked); /* the other thread is late */
	writer_cpu_samples(writer, &record);
	expect_records(STRING_CLASS LOAD_SAMPLE STRING_LOCKED STRING_SIGNATURE STRING_SOURCE
	               "04 ???????? 00000018 00000002 00000006 00000008 00000007 000186a1 fffffffd"
	               "05 ???????? 00000010 000493e2 00030d41 00000001 00000002"
	               "0d ???????? 00000010 00000002 00000001 00000002 000493e2"
	               "0d ???????? 00000010 00000002 00000001 00000002 000493e2");
}
END_TEST

START_TEST(a_reply_repeats_a_trace)
{
	size_t start = write_traces();
	writer_trace_again(writer, &trace_locked);
	expect_records_from(start, "05 ???????? 00000010 000493e2 00030d41 00000001 00000002");
}
END_TEST

START_TEST(a_reply_may_be_the_first_to_write_a_trace)
{
	writer_trace_again(writer, &trace_work);
	writer_flush(writer);
	size_t start = memory->length;
	writer_trace(writer, &trace_work);
	expect_records_from(start, "");
}
END_TEST

/* A trace in the tail would be removed with it. */
START_TEST(a_trace_that_a_tail_refers_to_is_not_in_the_tail)
{
	const struct cost_row rows[] = {{&trace_locked, 2}};
	const struct cpu_samples_record record = {.total = 2, .row_count = 1, .rows = rows};

	ck_assert(writer_tail_begin(writer));
	writer_cpu_samples(writer, &record);
	writer_tail_end(writer);
	expect_bytes(memory->bytes + memory->appended, memory->length - memory->appended,
	             "0d ???????? 00000010 00000002 00000001 00000002 000493e2");
	expect_bytes(memory->bytes + memory->appended - 25, 25,
	             "05 ???????? 00000010 000493e2 00030d41 00000001 00000002");
	writer_thread_end(writer, &thread_main);
	writer_trace(writer, &trace_locked);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_bytes(memory->bytes + memory->length - 13 - 25, 13 + 25,
	             "05 ???????? 00000010 000493e2 00030d41 00000001 00000002"
	             "0b ???????? 00000004 00030d41");
}
END_TEST

START_TEST(a_missing_class_and_trace_are_written_before_sites)
{
	const struct class_record class = {
	        .serial = 100003, .object_id = 0x50000012, .name = &name_main};
	const struct trace again = {.serial = 300009, .depth = 1, .frames = frames_locked};
	const struct site_row row = {.trace = &again, .class = &class};
	const struct sites_record record = {.row_count = 1, .rows = &row};

	size_t start = write_traces();
	writer_sites(writer, &record);
	expect_records_from(start,
	                    "05 ???????? 00000010 000493e9 00000000 00000001 00000002" STRING_MAIN
	                    "02 ???????? 00000010 000186a3 50000012 000493e0 00000001"
	                    "06 ???????? 0000003b 0000 00000000 00000000 00000000"
	                    "0000000000000000 0000000000000000 00000001"
	                    "00 000186a3 000493e9 00000000 00000000 00000000 00000000");
}
END_TEST

START_TEST(classes_load_and_unload)
{
	writer_class_unload(writer, &class_lambda); /* never written: left out */
	writer_class_load(writer, &class_sample);
	writer_class_unload(writer, &class_sample);
	expect_records(STRING_CLASS LOAD_SAMPLE "03 ???????? 00000004 000186a1");
}
END_TEST

START_TEST(cpu_samples_have_total_and_rows)
{
	const struct cost_row rows[] = {{&trace_work, 2}, {&trace_empty, 0}, {&trace_locked, 1}};
	const struct cpu_samples_record record = {
	        .wall_ms = CREATED_WALL_MS, .total = 4, .row_count = 3, .rows = rows};

	size_t start = write_traces();
	writer_cpu_samples(writer, &record);
	expect_records_from(start, "0d ???????? 00000018 00000004 00000002"
	                           " 00000002 000493e1 00000001 000493e2");
}
END_TEST

START_TEST(cpu_samples_saturate)
{
	const struct cost_row rows[] = {{&trace_work, UINT64_C(0x100000000)}};
	const struct cpu_samples_record record = {
	        .total = UINT64_C(0x1ffffffff), .row_count = 1, .rows = rows};

	size_t start = write_traces();
	writer_cpu_samples(writer, &record);
	expect_records_from(start, "0d ???????? 00000010 ffffffff 00000001 ffffffff 000493e1");
}
END_TEST

START_TEST(a_heap_summary_has_four_totals_and_the_first_two_saturate)
{
	const struct heap_summary_record summary = {.live_bytes = 0x123456789,
	                                            .live_instances = 0x10,
	                                            .allocated_bytes = 0x123456789,
	                                            .allocated_instances = 0x20};

	writer_heap_summary(writer, &summary);
	expect_records("07 ???????? 00000018"
	               "ffffffff 00000010 0000000123456789 0000000000000020");
}
END_TEST

START_TEST(control_settings_have_flags_and_depth)
{
	writer_control_settings(writer, CONTROL_CPU_SAMPLING | CONTROL_ALLOC_TRACES, 1024);
	expect_records("0e ???????? 00000006 00000003 0400");
}
END_TEST

START_TEST(notes_are_left_out)
{
	writer_note(writer, "nothing");
	expect_records("");
}
END_TEST

START_TEST(strings_are_the_bytes_as_they_are)
{
	const struct string name = STRING(20, "a\n\0\"\xc3\xa9");
	const struct thread_record thread = {.serial = 200002,
	                                     .object_id = 1,
	                                     .name = &name,
	                                     .group = &name,
	                                     .parent_group = &name};

	writer_thread_start(writer, &thread);
	expect_records(
	        "01 ???????? 0000000a 00000014 61 0a 00 22 c3 a9"
	        "0a ???????? 00000018 00030d42 00000001 000493e0 00000014 00000014 00000014");
}
END_TEST

START_TEST(a_class_has_the_trace_where_it_was_prepared)
{
	const struct class_record class = {
	        .serial = 100003, .object_id = 2, .name = &name_class, .trace_serial = 300009};

	writer_class_load(writer, &class);
	expect_records(STRING_CLASS "02 ???????? 00000010 000186a3 00000002 000493e9 00000004");
}
END_TEST

START_TEST(a_string_longer_than_64k_is_whole)
{
	static char text[100000];
	const struct string name = {.id = 20, .length = sizeof(text), .text = text};
	const struct class_record class = {.serial = 100003, .object_id = 2, .name = &name};

	memset(text, 'n', sizeof(text));
	writer_class_load(writer, &class);
	ck_assert_int_eq(writer_close(writer), 0);
	const uint8_t *record = memory->bytes + HEADER_LENGTH;
	expect_bytes(record, 13, "01 ???????? 000186a4 00000014");
	ck_assert_mem_eq(record + 13, text, sizeof(text));
	expect_bytes(record + 13 + sizeof(text), 9 + 16,
	             "02 ???????? 00000010 000186a3 00000002 000493e0 00000014");
	ck_assert_uint_eq(memory->length, HEADER_LENGTH + 13 + sizeof(text) + 9 + 16);
}
END_TEST

START_TEST(a_record_longer_than_its_length_field_is_rejected)
{
	/* The text is not read: the length is already too large. */
	const struct string name = {.id = 20, .length = UINT32_MAX, .text = "x"};
	const struct class_record class = {.serial = 100003, .object_id = 2, .name = &name};

	writer_thread_end(writer, &thread_main);
	writer_class_load(writer, &class);
	writer_thread_end(writer, &thread_main);
	ck_assert_int_eq(writer_error(writer), BYTES_TOO_LARGE);
	ck_assert_int_eq(writer_close(writer), BYTES_TOO_LARGE);
	expect_bytes(memory->bytes + HEADER_LENGTH, memory->length - HEADER_LENGTH,
	             "0b ???????? 00000004 00030d41");
}
END_TEST

START_TEST(an_object_id_that_does_not_fit_is_rejected)
{
	const struct class_record class = {
	        .serial = 100003, .object_id = UINT64_C(0x100000000), .name = &name_class};

	writer_class_load(writer, &class);
	ck_assert_int_eq(writer_close(writer), BYTES_TOO_LARGE);
	ck_assert_uint_eq(memory->length, HEADER_LENGTH);
}
END_TEST

static uint32_t time_of_last_end(void)
{
	const uint8_t *time = memory->bytes + memory->length - 12;
	return (uint32_t)time[0] << 24 | (uint32_t)time[1] << 16 | (uint32_t)time[2] << 8 | time[3];
}

START_TEST(time_counts_microseconds_from_the_header)
{
	writer_close(writer);
	memory = memory_sink_reset();
	uint64_t start_ns = os_monotonic_ns();
	int64_t now_ms = os_wall_ms();
	writer = writer_create(&record_format_binary, &memory->sink, 4, now_ms - 2000);
	ck_assert_ptr_nonnull(writer);

	writer_thread_end(writer, &thread_main);
	writer_flush(writer);
	uint32_t first_us = time_of_last_end();
	os_sleep_until(os_monotonic_ns() + 20000000);
	writer_thread_end(writer, &thread_main);
	ck_assert_int_eq(writer_close(writer), 0);
	uint32_t second_us = time_of_last_end();
	uint32_t most_us = (uint32_t)((os_monotonic_ns() - start_ns) / 1000) + 2002000;

	ck_assert_uint_ge(first_us, 1999000);
	ck_assert_uint_ge(second_us, first_us + 20000);
	ck_assert_uint_le(second_us, most_us);
}
END_TEST

START_TEST(time_wraps)
{
	writer_close(writer);
	memory = memory_sink_reset();
	uint64_t start_ns = os_monotonic_ns();
	/* 2^32 microseconds and one second ago */
	writer = writer_create(&record_format_binary, &memory->sink, 4,
	                       os_wall_ms() - 4294967 - 1000);
	ck_assert_ptr_nonnull(writer);
	writer_thread_end(writer, &thread_main);
	ck_assert_int_eq(writer_close(writer), 0);
	uint32_t most_us = (uint32_t)((os_monotonic_ns() - start_ns) / 1000) + 1002000;
	ck_assert_uint_ge(time_of_last_end(), 990000);
	ck_assert_uint_le(time_of_last_end(), most_us);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_binary");
	TCase *binary = tcase_create("binary");

	tcase_add_checked_fixture(binary, make_writer, NULL);
	tcase_add_test(binary, a_profile_begins_with_header_and_empty_trace);
	tcase_add_test(binary, ids_can_have_8_bytes);
	tcase_add_test(binary, threads_start_with_their_strings_and_end);
	tcase_add_test(binary, traces_come_after_all_that_they_refer_to);
	tcase_add_test(binary, nothing_is_written_twice);
	tcase_add_test(binary, a_missing_trace_is_written_before_the_record_that_refers_to_it);
	tcase_add_test(binary, a_class_has_the_trace_where_it_was_prepared);
	tcase_add_test(binary, a_reply_repeats_a_trace);
	tcase_add_test(binary, a_reply_may_be_the_first_to_write_a_trace);
	tcase_add_test(binary, a_trace_that_a_tail_refers_to_is_not_in_the_tail);
	tcase_add_test(binary, a_missing_class_and_trace_are_written_before_sites);
	tcase_add_test(binary, classes_load_and_unload);
	tcase_add_test(binary, cpu_samples_have_total_and_rows);
	tcase_add_test(binary, cpu_samples_saturate);
	tcase_add_test(binary, a_heap_summary_has_four_totals_and_the_first_two_saturate);
	tcase_add_test(binary, control_settings_have_flags_and_depth);
	tcase_add_test(binary, notes_are_left_out);
	tcase_add_test(binary, strings_are_the_bytes_as_they_are);
	tcase_add_test(binary, a_string_longer_than_64k_is_whole);
	tcase_add_test(binary, a_record_longer_than_its_length_field_is_rejected);
	tcase_add_test(binary, an_object_id_that_does_not_fit_is_rejected);
	tcase_add_test(binary, time_counts_microseconds_from_the_header);
	tcase_add_test(binary, time_wraps);
	suite_add_tcase(suite, binary);
	return run_suite(suite);
}
