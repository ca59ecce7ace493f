/*
 * Tests of the reader of records: with ids of 4 and of 8 bytes it reads what the writer of the
 * binary format writes, and refuses a record or a file that ends before the last field.
 */
#include "heap_fixture.h"
#include "run_suite.h"
#include "writer_fixture.h"

#include "hprof/record_reader.h"

static struct memory_sink *memory;
static struct record_writer *writer;
static struct os_file file;
static struct hprof_reader reader;
static unsigned id_size;

/* What was read last. */
static struct {
	struct hprof_string string;
	struct hprof_load_class class;
	struct hprof_frame frame;
	struct hprof_trace trace;
	struct hprof_thread thread;
	struct hprof_samples samples;
	struct hprof_sample sample;
	struct hprof_totals totals;
	struct hprof_sites sites;
	struct hprof_site site;
	struct hprof_control_settings settings;
} got;

static void set_up(void)
{
	memset(&got, 0xff, sizeof(got));
	ck_assert_int_eq(os_file_temporary(NULL, &file), 0);
}

static void tear_down(void)
{
	hprof_reader_close(&reader);
	ck_assert_int_eq(os_file_close(&file), 0);
}

/* ---- each kind -------------------------------------------------------------- */

static bool read_string(void)
{
	return hprof_read_string(&reader, &got.string);
}

static bool read_load_class(void)
{
	return hprof_read_load_class(&reader, &got.class);
}

static bool read_frame(void)
{
	return hprof_read_frame(&reader, &got.frame);
}

static bool read_trace(void)
{
	return hprof_read_trace(&reader, &got.trace);
}

static bool read_thread(void)
{
	return hprof_read_thread(&reader, &got.thread);
}

static bool read_samples(void)
{
	return hprof_read_samples(&reader, &got.samples);
}

static bool read_sample(void)
{
	return hprof_read_sample(&reader, &got.sample);
}

static bool read_sites(void)
{
	return hprof_read_sites(&reader, &got.sites, &got.totals);
}

static bool skip_totals_of_sites(void)
{
	return hprof_read_sites(&reader, &got.sites, NULL);
}

static bool read_site(void)
{
	return hprof_read_site(&reader, &got.site, &got.totals);
}

static bool skip_counts_of_site(void)
{
	return hprof_read_site(&reader, &got.site, NULL);
}

static bool read_heap_summary(void)
{
	return hprof_read_heap_summary(&reader, &got.totals);
}

static bool skip_heap_summary(void)
{
	return hprof_read_heap_summary(&reader, NULL);
}

static bool read_control_settings(void)
{
	return hprof_read_control_settings(&reader, &got.settings);
}

/* The fields of each kind. */
static const struct kind {
	const char *name;
	bool (*read)(void);
	uint32_t plain_bytes;
	uint32_t ids;
} kinds[] = {
        {"STRING", read_string, 0, 1},
        {"LOAD CLASS", read_load_class, 8, 2},
        {"STACK FRAME", read_frame, 8, 4},
        {"STACK TRACE", read_trace, 12, 0},
        {"START THREAD", read_thread, 8, 1},
        {"CPU SAMPLES", read_samples, 8, 0},
        {"row of CPU SAMPLES", read_sample, HPROF_SAMPLE_BYTES, 0},
        {"ALLOC SITES", read_sites, 34, 0},
        {"ALLOC SITES without totals", skip_totals_of_sites, 34, 0},
        {"row of ALLOC SITES", read_site, HPROF_SITE_BYTES, 0},
        {"row of ALLOC SITES without counts", skip_counts_of_site, HPROF_SITE_BYTES, 0},
        {"HEAP SUMMARY", read_heap_summary, 24, 0},
        {"HEAP SUMMARY without totals", skip_heap_summary, 24, 0},
        {"CONTROL SETTINGS", read_control_settings, 6, 0},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), FILLED = 0x77, NEXT = 0x78 };

static size_t size_of(const struct kind *kind)
{
	return kind->plain_bytes + (size_t)kind->ids * id_size;
}

/* Opens a file with a record of length bytes. Another record follows, unless the file ends inside
 * the record, whose head then claims more bytes. */
static void open_record(size_t length, bool ends_inside)
{
	struct byte_buffer bytes;

	byte_buffer_init(&bytes);
	add_header(&bytes, "JAVA PROFILE 1.0.2", id_size);
	size_t start = begin_record(&bytes, FILLED);
	for (size_t i = 0; i < length; i++)
		byte_buffer_add_u1(&bytes, 0x11);
	end_record(&bytes, start);
	if (ends_inside)
		put_u4(&bytes, start - 4, UINT32_MAX);
	else
		end_record(&bytes, begin_record(&bytes, NEXT));
	change_input(&file, bytes.bytes, bytes.length);
	byte_buffer_free(&bytes);
	hprof_reader_close(&reader);
	ck_assert(hprof_reader_open(&reader, &file, NULL, NULL));
}

static void expect_record(uint8_t expected)
{
	uint8_t tag = 0;
	ck_assert(hprof_next_record(&reader, &tag));
	ck_assert_uint_eq(tag, expected);
}

/* Tests loop over the sizes of ids. */
enum { ID_SIZES = 2 };

static void begin(int loop)
{
	id_size = loop == 0 ? 4 : 8;
}

START_TEST(records_of_the_size_of_their_fields_are_read_whole)
{
	begin(_i);
	for (size_t i = 0; i < KINDS; i++) {
		open_record(size_of(&kinds[i]), false);
		expect_record(FILLED);
		ck_assert_msg(kinds[i].read(), "%s", kinds[i].name);
		ck_assert_int_eq(reader.error, 0);
		ck_assert_msg(reader.left == 0, "%s", kinds[i].name);
		expect_record(NEXT);
	}
}
END_TEST

START_TEST(a_record_that_ends_before_its_last_field_is_refused)
{
	begin(_i);
	for (size_t i = 0; i < KINDS; i++) {
		for (size_t length = 0; length < size_of(&kinds[i]); length++) {
			open_record(length, false);
			expect_record(FILLED);
			ck_assert_msg(!kinds[i].read(), "%s of %zu bytes", kinds[i].name, length);
			ck_assert_int_eq(reader.error, HPROF_BROKEN);
			ck_assert(hprof_recover(&reader));
			expect_record(NEXT);
		}
	}
}
END_TEST

START_TEST(a_file_that_ends_before_the_last_field_is_refused)
{
	begin(_i);
	for (size_t i = 0; i < KINDS; i++) {
		for (size_t length = 0; length < size_of(&kinds[i]); length++) {
			open_record(length, true);
			expect_record(FILLED);
			ck_assert_msg(!kinds[i].read(), "%s of %zu bytes", kinds[i].name, length);
			ck_assert_int_eq(reader.error, HPROF_BROKEN);
			ck_assert(!hprof_recover(&reader));
		}
	}
}
END_TEST

START_TEST(fields_before_the_end_have_their_values_and_the_rest_are_0)
{
	begin(_i);
	open_record(4 + id_size + 3, false);
	expect_record(FILLED);
	ck_assert(!read_load_class());
	ck_assert_uint_eq(got.class.serial, 0x11111111);
	ck_assert_uint_eq(got.class.object_id,
	                  id_size == 4 ? 0x11111111 : UINT64_C(0x1111111111111111));
	ck_assert_uint_eq(got.class.trace_serial, 0);
	ck_assert_uint_eq(got.class.name_id, 0);
	/* The first field that is not whole has not been got. */
	ck_assert_uint_eq(reader.left, 3);
}
END_TEST

/* ---- what the writer writes ---------------------------------------------------- */

static void begin_writing(int loop)
{
	begin(loop);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_binary, &memory->sink, id_size, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
}

static void open_written(void)
{
	ck_assert_int_eq(writer_close(writer), 0);
	change_input(&file, memory->bytes, memory->length);
	ck_assert(hprof_reader_open(&reader, &file, NULL, NULL));
	ck_assert_uint_eq(reader.id_size, id_size);
	expect_record(HPROF_RECORD_STACK_TRACE);
	ck_assert(read_trace());
	ck_assert_uint_eq(got.trace.serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(got.trace.depth, 0);
}

/* Reads records up to one with that tag. */
static void find_record(uint8_t expected)
{
	uint8_t tag = 0;
	do
		ck_assert(hprof_next_record(&reader, &tag));
	while (tag != expected);
}

/* The record has been read whole. */
static void expect_end(void)
{
	ck_assert_int_eq(reader.error, 0);
	ck_assert_uint_eq(reader.left, 0);
}

START_TEST(a_trace_and_what_it_refers_to_are_read_as_written)
{
	begin_writing(_i);
	writer_trace(writer, &trace_locked);
	open_written();

	expect_record(HPROF_RECORD_STRING);
	ck_assert(read_string());
	ck_assert_uint_eq(got.string.id, name_class.id);
	ck_assert_uint_eq(got.string.length, name_class.length);
	ck_assert_mem_eq(hprof_read_bytes(&reader, name_class.length), name_class.text,
	                 name_class.length);
	expect_end();

	expect_record(HPROF_RECORD_LOAD_CLASS);
	ck_assert(read_load_class());
	ck_assert_uint_eq(got.class.serial, class_sample.serial);
	ck_assert_uint_eq(got.class.object_id, class_sample.object_id);
	ck_assert_uint_eq(got.class.trace_serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(got.class.name_id, name_class.id);
	expect_end();

	find_record(HPROF_RECORD_STACK_FRAME);
	ck_assert(read_frame());
	ck_assert_uint_eq(got.frame.id, frame_locked.id);
	ck_assert_uint_eq(got.frame.name_id, name_locked.id);
	ck_assert_uint_eq(got.frame.signature_id, name_signature.id);
	ck_assert_uint_eq(got.frame.source_id, name_source.id);
	ck_assert_uint_eq(got.frame.class_serial, class_sample.serial);
	ck_assert_int_eq(got.frame.line, LINE_NATIVE);
	expect_end();

	expect_record(HPROF_RECORD_STACK_TRACE);
	ck_assert(read_trace());
	ck_assert_uint_eq(got.trace.serial, trace_locked.serial);
	ck_assert_uint_eq(got.trace.thread_serial, thread_main.serial);
	ck_assert_uint_eq(got.trace.depth, 1);
	ck_assert_uint_eq(hprof_read_id(&reader), frame_locked.id);
	expect_end();
}
END_TEST

START_TEST(a_frame_without_source_has_none)
{
	begin_writing(_i);
	writer_trace(writer, &trace_work);
	open_written();
	for (int i = 0; i < 3; i++)
		find_record(HPROF_RECORD_STACK_FRAME);
	ck_assert(read_frame());
	ck_assert_uint_eq(got.frame.id, frame_run.id);
	ck_assert_uint_eq(got.frame.source_id, 0);
	ck_assert_int_eq(got.frame.line, LINE_UNKNOWN);
}
END_TEST

START_TEST(a_thread_and_its_names_are_read_as_written)
{
	begin_writing(_i);
	writer_thread_start(writer, &thread_main);
	writer_thread_end(writer, &thread_main);
	open_written();

	find_record(HPROF_RECORD_START_THREAD);
	ck_assert(read_thread());
	ck_assert_uint_eq(got.thread.serial, thread_main.serial);
	ck_assert_uint_eq(got.thread.object_id, thread_main.object_id);
	ck_assert_uint_eq(got.thread.trace_serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(reader.left, (uint64_t)HPROF_THREAD_NAMES * id_size);
	ck_assert_uint_eq(hprof_read_id(&reader), name_main.id);
	ck_assert_uint_eq(hprof_read_id(&reader), name_group.id);
	ck_assert_uint_eq(hprof_read_id(&reader), name_none.id);
	expect_end();

	expect_record(HPROF_RECORD_END_THREAD);
	ck_assert_uint_eq(hprof_read_u4(&reader), thread_main.serial);
	expect_end();
}
END_TEST

START_TEST(an_unloaded_class_is_read_as_written)
{
	begin_writing(_i);
	writer_class_load(writer, &class_sample);
	writer_class_unload(writer, &class_sample);
	open_written();
	find_record(HPROF_RECORD_UNLOAD_CLASS);
	ck_assert_uint_eq(hprof_read_u4(&reader), class_sample.serial);
	expect_end();
}
END_TEST

START_TEST(samples_and_their_rows_are_read_as_written)
{
	begin_writing(_i);
	writer_cpu_samples(writer, &samples);
	open_written();
	find_record(HPROF_RECORD_CPU_SAMPLES);
	ck_assert(read_samples());
	ck_assert_uint_eq(got.samples.total, samples.total);
	ck_assert_uint_eq(got.samples.row_count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(read_sample());
		ck_assert_uint_eq(got.sample.count, sample_rows[i].count);
		ck_assert_uint_eq(got.sample.trace_serial, sample_rows[i].trace->serial);
	}
	expect_end();
}
END_TEST

static void expect_totals(uint64_t live_bytes, uint64_t live_objects, uint64_t allocated_bytes,
                          uint64_t allocated_objects)
{
	ck_assert_uint_eq(got.totals.live_bytes, live_bytes);
	ck_assert_uint_eq(got.totals.live_objects, live_objects);
	ck_assert_uint_eq(got.totals.allocated_bytes, allocated_bytes);
	ck_assert_uint_eq(got.totals.allocated_objects, allocated_objects);
}

START_TEST(sites_and_their_rows_are_read_as_written)
{
	static const struct string name_array = STRING(11, "int[]");
	static const struct class_record class_array = {
	        .serial = 100003, .object_id = 0x50000012, .name = &name_array};
	const struct site_row row = {.trace = &trace_locked,
	                             .class = &class_array,
	                             .live_bytes = 160,
	                             .live_objects = 10,
	                             .allocated_bytes = 320,
	                             .allocated_objects = 20};
	const struct sites_record record = {.by_allocation = true,
	                                    .forced_gc = true,
	                                    .cutoff = 0.5,
	                                    .sums = {.live_bytes = 16000,
	                                             .live_objects = 1000,
	                                             .allocated_bytes = UINT64_C(1) << 33,
	                                             .allocated_objects = UINT64_C(1) << 34},
	                                    .row_count = 1,
	                                    .rows = &row};
	begin_writing(_i);
	writer_sites(writer, &record);
	open_written();
	find_record(HPROF_RECORD_ALLOC_SITES);
	ck_assert(read_sites());
	ck_assert_uint_eq(got.sites.flags, HPROF_SITES_BY_ALLOCATION | HPROF_SITES_FORCED_GC);
	ck_assert_uint_eq(got.sites.row_count, 1);
	expect_totals(16000, 1000, UINT64_C(1) << 33, UINT64_C(1) << 34);
	ck_assert_uint_eq(reader.left, HPROF_SITE_BYTES);
	ck_assert(read_site());
	ck_assert_uint_eq(got.site.type, HPROF_TYPE_INT);
	ck_assert_uint_eq(got.site.class_serial, class_array.serial);
	ck_assert_uint_eq(got.site.trace_serial, trace_locked.serial);
	expect_totals(160, 10, 320, 20);
	expect_end();
}
END_TEST

START_TEST(fields_after_totals_that_are_skipped_are_read_as_written)
{
	const struct site_row row = {.trace = &trace_locked, .class = &class_sample};
	const struct sites_record record = {.incremental = true, .row_count = 1, .rows = &row};

	begin_writing(_i);
	writer_sites(writer, &record);
	open_written();
	find_record(HPROF_RECORD_ALLOC_SITES);
	ck_assert(skip_totals_of_sites());
	ck_assert_uint_eq(got.sites.flags, HPROF_SITES_INCREMENTAL);
	ck_assert_uint_eq(got.sites.row_count, 1);
	ck_assert(skip_counts_of_site());
	ck_assert_uint_eq(got.site.type, 0);
	ck_assert_uint_eq(got.site.class_serial, class_sample.serial);
	expect_end();
}
END_TEST

START_TEST(a_heap_summary_is_read_as_written)
{
	const struct heap_summary_record record = {.live_bytes = 1,
	                                           .live_instances = 2,
	                                           .allocated_bytes = UINT64_C(3) << 32,
	                                           .allocated_instances = UINT64_C(4) << 32};
	begin_writing(_i);
	writer_heap_summary(writer, &record);
	open_written();
	expect_record(HPROF_RECORD_HEAP_SUMMARY);
	ck_assert(read_heap_summary());
	expect_totals(1, 2, UINT64_C(3) << 32, UINT64_C(4) << 32);
	expect_end();
}
END_TEST

START_TEST(control_settings_are_read_as_written)
{
	begin_writing(_i);
	writer_control_settings(writer, CONTROL_CPU_SAMPLING, 17);
	open_written();
	expect_record(HPROF_RECORD_CONTROL_SETTINGS);
	ck_assert(read_control_settings());
	ck_assert_uint_eq(got.settings.flags, CONTROL_CPU_SAMPLING);
	ck_assert_uint_eq(got.settings.depth, 17);
	expect_end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record reader");
	TCase *any = tcase_create("any bytes");
	TCase *written = tcase_create("what the writer writes");

	tcase_add_checked_fixture(any, set_up, tear_down);
	tcase_add_loop_test(any, records_of_the_size_of_their_fields_are_read_whole, 0, ID_SIZES);
	tcase_add_loop_test(any, a_record_that_ends_before_its_last_field_is_refused, 0, ID_SIZES);
	tcase_add_loop_test(any, a_file_that_ends_before_the_last_field_is_refused, 0, ID_SIZES);
	tcase_add_loop_test(any, fields_before_the_end_have_their_values_and_the_rest_are_0, 0,
	                    ID_SIZES);
	tcase_add_checked_fixture(written, set_up, tear_down);
	tcase_add_loop_test(written, a_trace_and_what_it_refers_to_are_read_as_written, 0,
	                    ID_SIZES);
	tcase_add_loop_test(written, a_frame_without_source_has_none, 0, ID_SIZES);
	tcase_add_loop_test(written, a_thread_and_its_names_are_read_as_written, 0, ID_SIZES);
	tcase_add_loop_test(written, an_unloaded_class_is_read_as_written, 0, ID_SIZES);
	tcase_add_loop_test(written, samples_and_their_rows_are_read_as_written, 0, ID_SIZES);
	tcase_add_loop_test(written, sites_and_their_rows_are_read_as_written, 0, ID_SIZES);
	tcase_add_loop_test(written, fields_after_totals_that_are_skipped_are_read_as_written, 0,
	                    ID_SIZES);
	tcase_add_loop_test(written, a_heap_summary_is_read_as_written, 0, ID_SIZES);
	tcase_add_loop_test(written, control_settings_are_read_as_written, 0, ID_SIZES);
	suite_add_tcase(suite, any);
	suite_add_tcase(suite, written);
	return run_suite(suite);
}
