/*
 * Tests of allocation sites in both formats: to the byte.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include <stdlib.h>
#include <time.h>

static const struct string name_bytes = STRING(11, "byte[]");
static const struct string name_matrix = STRING(12, "long[][]");
static const struct class_record class_bytes = {
        .serial = 100003, .object_id = 0x50000012, .name = &name_bytes};
static const struct class_record class_matrix = {
        .serial = 100004, .object_id = 0x50000013, .name = &name_matrix};

static const struct site_row rows[] = {
        {&trace_work, &class_bytes, 21936, 500, 21936, 500},
        {&trace_empty, &class_sample, 2696, 8, 1234567890123, 99999},
        {&trace_locked, &class_matrix, 0, 0, 16, 1},
};

static struct sites_record record;
static struct memory_sink *memory;
static struct record_writer *writer;
static size_t header_length; /* bytes before the records of the test */

static void make_writer(const struct record_format *format)
{
	setenv("TZ", "UTC", 1);
	tzset();
	memory = memory_sink_reset();
	writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	/* The rows refer to these; text starts with a thread. */
	writer_thread_start(writer, &thread_main);
	writer_class_load(writer, &class_bytes);
	writer_class_load(writer, &class_sample);
	writer_class_load(writer, &class_matrix);
	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	header_length = memory->length;
	record = (struct sites_record){
	        .wall_ms = CREATED_WALL_MS,
	        .live = true,
	        .cutoff = 0.25,
	        .sums = {.live_bytes = 152756,
	                 .live_objects = 508,
	                 .allocated_bytes = 1234567912075,
	                 .allocated_objects = 100500},
	        .row_count = 3,
	        .rows = rows,
	};
}

static void expect_text_records(const char *text)
{
	ck_assert_int_eq(writer_close(writer), 0);
	expect_text(memory->bytes + header_length, memory->length - header_length, text);
}

START_TEST(text_has_the_columns_of_the_manual)
{
	make_writer(&record_format_text);
	writer_sites(writer, &record);
	writer_heap_summary(writer, &(struct heap_summary_record){0});
	expect_text_records("SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:43 2026\n"
	                    "          percent          live          alloc'ed  stack class\n"
	                    " rank   self  accum     bytes objs     bytes  objs trace name\n"
	                    "    1 14.36% 14.36%     21936  500     21936   500 300001 byte[]\n"
	                    "    2  1.76% 16.13%      2696    8 1234567890123 99999 300000 Sample\n"
	                    "    3  0.00% 16.13%         0    0        16     1 300002 long[][]\n"
	                    "SITES END\n");
}
END_TEST

START_TEST(text_states_how_it_was_counted)
{
	make_writer(&record_format_text);
	record.row_count = 0;
	record.live = false;
	record.by_allocation = true;
	record.sampled = 524288;
	writer_sites(writer, &record);
	expect_text_records("SITES BEGIN (ordered by allocated bytes, live not counted, sampled "
	                    "every 524288 bytes) Sat Nov 21 02:55:43 2026\n"
	                    "          percent          live          alloc'ed  stack class\n"
	                    " rank   self  accum     bytes objs     bytes  objs trace name\n"
	                    "SITES END\n");
}
END_TEST

START_TEST(binary_has_the_fields_of_the_manual)
{
	make_writer(&record_format_binary);
	size_t start = memory->length;
	record.incremental = true;
	record.by_allocation = true;
	record.forced_gc = true;
	writer_sites(writer, &record);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_bytes(memory->bytes + start, memory->length - start,
	             "06 ???????? 0000006d 0007 3e800000 000254b4 000001fc"
	             "0000011f71fb5a8b 0000000000018894 00000003"
	             "08 000186a3 000493e1 000055b0 000001f4 000055b0 000001f4"
	             "00 000186a1 000493e0 00000a88 00000008 ffffffff 0001869f"
	             "02 000186a4 000493e2 00000000 00000000 00000010 00000001");
}
END_TEST

START_TEST(the_next_record_replaces_a_provisional_section)
{
	make_writer(&record_format_text);
	ck_assert(writer_tail_begin(writer));
	writer_sites(writer, &record);
	writer_tail_end(writer);
	ck_assert_uint_gt(memory->length, memory->appended);
	record.row_count = 0;
	writer_sites(writer, &record);
	expect_text_records("SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:43 2026\n"
	                    "          percent          live          alloc'ed  stack class\n"
	                    " rank   self  accum     bytes objs     bytes  objs trace name\n"
	                    "SITES END\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_sites");
	TCase *tests = tcase_create("sites");

	tcase_add_test(tests, text_has_the_columns_of_the_manual);
	tcase_add_test(tests, text_states_how_it_was_counted);
	tcase_add_test(tests, binary_has_the_fields_of_the_manual);
	tcase_add_test(tests, the_next_record_replaces_a_provisional_section);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
