/*
 * Tests of heap dumps in both formats: every byte of each sub-record, the division into
 * segments, and what is rejected.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include "base/byte_buffer.h"
#include "output/heap_writer.h"

#include <stdlib.h>

static struct memory_sink *memory;
static struct record_writer *writer;
static struct heap_writer *heap;
static size_t header;

static const struct heap_begin begin = {
        .wall_ms = CREATED_WALL_MS, .object_count = 3, .object_bytes = UINT64_C(5000000000)};

static void begin_dump(const struct record_format *format, unsigned id_size)
{
	setenv("TZ", "UTC", 1);
	memory = memory_sink_reset();
	writer = writer_create(format, &memory->sink, id_size, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	header = memory->length;
	heap = heap_writer_begin(writer, &begin);
	ck_assert_ptr_nonnull(heap);
	ck_assert_uint_eq(heap_writer_id_size(heap), id_size);
}

static void begin_binary(void)
{
	begin_dump(&record_format_binary_segments, 4);
}

static void begin_text(void)
{
	begin_dump(&record_format_text, 4);
}

static void expect_dump(const char *pattern)
{
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_bytes(memory->bytes + header, memory->length - header, pattern);
}

static void expect_lines(const char *lines)
{
	char text[8192];
	(void)snprintf(text, sizeof(text),
	               "HEAP DUMP BEGIN (3 objects, 5000000000 bytes) Sat Nov 21 02:55:43 2026\n"
	               "%sHEAP DUMP END\n",
	               lines);
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_text(memory->bytes + header, memory->length - header, text);
}

/* ---- what is written --------------------------------------------------- */

static const struct heap_root roots[] = {
        {.kind = HPROF_SUB_ROOT_UNKNOWN, .object_id = 0x501},
        {.kind = HPROF_SUB_ROOT_JNI_GLOBAL,
         .object_id = 0x502,
         .jni_id = 0x1f,
         .trace_serial = 300000},
        {.kind = HPROF_SUB_ROOT_JNI_LOCAL, .object_id = 0x503, .thread_serial = 200001, .frame = 2},
        {.kind = HPROF_SUB_ROOT_JAVA_FRAME,
         .object_id = 0x504,
         .thread_serial = 200001,
         .frame = HEAP_FRAME_NONE},
        {.kind = HPROF_SUB_ROOT_NATIVE_STACK, .object_id = 0x505, .thread_serial = 200001},
        {.kind = HPROF_SUB_ROOT_STICKY_CLASS, .object_id = 0x506, .class = &class_sample},
        {.kind = HPROF_SUB_ROOT_THREAD_BLOCK, .object_id = 0x507, .thread_serial = 200001},
        {.kind = HPROF_SUB_ROOT_MONITOR_USED, .object_id = 0x508},
        {.kind = HPROF_SUB_ROOT_THREAD_OBJECT,
         .object_id = 0x509,
         .thread_serial = 200001,
         .trace_serial = 300001},
};

static void write_roots(void)
{
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		heap_writer_root(heap, &roots[i]);
}

static const struct heap_constant constants[] = {
        {.index = 5, .type = HPROF_TYPE_OBJECT, .value = 0x601},
        {.index = 6, .type = HPROF_TYPE_INT, .value = 42},
        {.index = 7, .type = HPROF_TYPE_OBJECT, .value = 0}};
static const struct heap_static statics[] = {
        {.name = &name_work, .type = HPROF_TYPE_OBJECT, .value = 0x602},
        {.name = &name_run, .type = HPROF_TYPE_BOOLEAN, .value = 1},
        {.name = &name_run, .type = HPROF_TYPE_SHORT, .value = UINT64_C(0xffffffffffff8001)},
        {.name = &name_run, .type = HPROF_TYPE_LONG, .value = UINT64_C(0x8000000000000001)},
        {.name = &name_locked, .type = HPROF_TYPE_OBJECT, .value = 0}};
static const struct heap_field fields[] = {{.name = &name_work, .type = HPROF_TYPE_OBJECT},
                                           {.name = &name_run, .type = HPROF_TYPE_CHAR},
                                           {.name = &name_source, .type = HPROF_TYPE_OBJECT},
                                           {.name = &name_locked, .type = HPROF_TYPE_OBJECT}};
static const struct heap_class sample_class = {.class = &class_sample,
                                               .trace_serial = 300000,
                                               .super_id = 0x701,
                                               .loader_id = 0x702,
                                               .signers_id = 0x703,
                                               .domain_id = 0x704,
                                               .instance_size = 14,
                                               .constant_count = 3,
                                               .constants = constants,
                                               .static_count = 5,
                                               .statics = statics,
                                               .field_count = 4,
                                               .fields = fields};
static const struct heap_class bare_class = {.class = &class_lambda, .trace_serial = 300000};

static const uint8_t values[] = {0, 0, 8, 1, 0x20, 0xac, 0, 0, 8, 2, 0, 0, 0, 0};
static const struct heap_instance instance = {.object_id = 0x801,
                                              .trace_serial = 300001,
                                              .size = 32,
                                              .class = &class_sample,
                                              .values = values,
                                              .values_length = sizeof(values),
                                              .field_count = 4,
                                              .fields = fields};

static const struct heap_array objects = {.object_id = 0x901,
                                          .trace_serial = 300000,
                                          .size = UINT64_C(0x123456789),
                                          .length = 4,
                                          .class = &class_lambda,
                                          .type = HPROF_TYPE_OBJECT};
static const struct heap_array numbers = {.object_id = 0x902,
                                          .trace_serial = 300000,
                                          .size = 24,
                                          .length = 3,
                                          .type = HPROF_TYPE_INT};

static void write_arrays(void)
{
	static const uint64_t first[] = {0x801, 0};
	static const uint64_t rest[] = {0, 0x902};
	heap_writer_object_array(heap, &objects);
	heap_writer_elements(heap, first, 2);
	heap_writer_elements(heap, rest, 2);
	heap_writer_primitive_array(heap, &numbers);
	heap_writer_bytes(heap, (const uint8_t *)"abcdefgh", 8);
	heap_writer_bytes(heap, (const uint8_t *)"ijkl", 4);
}

/* ---- binary ------------------------------------------------------------ */

#define SEGMENT(length) "1c ???????? " length " "
#define SEGMENTS_END "2c ???????? 00000000"

START_TEST(binary_roots_have_threads_and_frames)
{
	write_roots();
	expect_dump(SEGMENT("00000051") "ff 00000501 "
	                                "01 00000502 0000001f "
	                                "02 00000503 00030d41 00000002 "
	                                "03 00000504 00030d41 ffffffff "
	                                "04 00000505 00030d41 "
	                                "05 00000506 "
	                                "06 00000507 00030d41 "
	                                "07 00000508 "
	                                "08 00000509 00030d41 000493e1 " SEGMENTS_END);
}
END_TEST

START_TEST(a_binary_class_comes_after_its_names)
{
	heap_writer_class(heap, &sample_class);
	expect_dump("01 ???????? 0000000a 00000004 'Sample' "
	            "02 ???????? 00000010 000186a1 50000010 000493e0 00000004 "
	            "01 ???????? 00000008 00000005 'work' "
	            "01 ???????? 00000007 0000000a 'run' "
	            "01 ???????? 0000000a 00000006 'locked' "
	            "01 ???????? 0000000f 00000007 'Sample.java' " SEGMENT(
	                    "00000080") "20 50000010 000493e0 00000701 00000702 00000703 00000704 "
	                                "00000000 00000000 "
	                                "0000000e "
	                                "0003 0005 02 00000601 0006 0a 0000002a 0007 02 00000000 "
	                                "0005 00000005 02 00000602 0000000a 04 01 0000000a 09 8001 "
	                                "0000000a 0b 8000000000000001 00000006 02 00000000 "
	                                "0004 00000005 02 0000000a 05 00000007 02 00000006 "
	                                "02 " SEGMENTS_END);
}
END_TEST

START_TEST(binary_objects_have_their_values)
{
	heap_writer_instance(heap, &instance);
	write_arrays();
	expect_dump(SEGMENT(
	        "0000005a") "21 00000801 000493e1 50000010 0000000e 00000801 20ac 00000802 "
	                    "00000000 "
	                    "22 00000901 000493e0 00000004 50000011 00000801 00000000 00000000 "
	                    "00000902 "
	                    "23 00000902 000493e0 00000003 0a 'abcdefghijkl' " SEGMENTS_END);
}
END_TEST

START_TEST(binary_ids_can_have_8_bytes)
{
	static const uint64_t elements[] = {UINT64_C(0x123456789abcdef0), 0, 0, 1};
	heap_writer_end(heap);
	(void)writer_close(writer);
	begin_dump(&record_format_binary_segments, 8);
	heap_writer_root(heap, &roots[0]);
	heap_writer_object_array(heap, &objects);
	heap_writer_elements(heap, elements, 4);
	expect_dump(SEGMENT("00000042") "ff 0000000000000501 "
	                                "22 0000000000000901 000493e0 00000004 0000000050000011 "
	                                "123456789abcdef0 0000000000000000 0000000000000000 "
	                                "0000000000000001 " SEGMENTS_END);
}
END_TEST

/* Returns the lengths of all segments in the memory sink; each must be complete. */
static unsigned read_segments(uint32_t *lengths, unsigned most)
{
	unsigned count = 0;
	size_t at = header;
	while (at < memory->length) {
		const uint8_t *record = memory->bytes + at;
		ck_assert_uint_ge(memory->length - at, 9);
		uint32_t length = (uint32_t)record[5] << 24 | (uint32_t)record[6] << 16 |
		                  (uint32_t)record[7] << 8 | record[8];
		if (record[0] == 0x1c) {
			ck_assert_uint_lt(count, most);
			lengths[count++] = length;
		}
		ck_assert_uint_le(length, memory->length - at - 9);
		at += 9 + length;
	}
	ck_assert_uint_eq(at, memory->length);
	return count;
}

START_TEST(a_long_dump_is_many_segments_of_whole_sub_records)
{
	enum { COUNT = 100000, BYTES = 1 + 4 + 4 + 4 + 4 + sizeof(values) };
	uint32_t lengths[8];
	uint64_t sum = 0;
	for (int i = 0; i < COUNT; i++)
		heap_writer_instance(heap, &instance);
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	unsigned count = read_segments(lengths, 8);
	ck_assert_uint_ge(count, 3);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_uint_eq(lengths[i] % BYTES, 0);
		sum += lengths[i];
	}
	ck_assert_uint_eq(sum, (uint64_t)COUNT * BYTES);
}
END_TEST

START_TEST(a_large_array_is_a_segment_of_its_own)
{
	static uint8_t piece[65536];
	const struct heap_array large = {.object_id = 0x902,
	                                 .trace_serial = 300000,
	                                 .length = 3 * 1024 * 1024,
	                                 .type = HPROF_TYPE_BYTE};
	uint32_t lengths[8];
	heap_writer_root(heap, &roots[0]);
	heap_writer_primitive_array(heap, &large);
	for (int i = 0; i < 48; i++)
		heap_writer_bytes(heap, piece, sizeof(piece));
	heap_writer_root(heap, &roots[0]);
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	ck_assert_uint_eq(read_segments(lengths, 8), 3);
	ck_assert_uint_eq(lengths[0], 5);
	ck_assert_uint_eq(lengths[1], 14 + 3 * 1024 * 1024);
	ck_assert_uint_eq(lengths[2], 5);
}
END_TEST

START_TEST(records_of_other_threads_are_written_between_segments)
{
	heap_writer_root(heap, &roots[0]);
	writer_thread_end(writer, &thread_main);
	expect_dump(
	        "0b ???????? 00000004 00030d41 " SEGMENT("00000005") "ff 00000501 " SEGMENTS_END);
}
END_TEST

/* ---- text -------------------------------------------------------------- */

START_TEST(text_roots_have_threads_and_frames)
{
	write_roots();
	expect_lines("ROOT 501 (kind=<unknown>)\n"
	             "ROOT 502 (kind=<JNI global ref>, id=1f, trace=300000)\n"
	             "ROOT 503 (kind=<JNI local ref>, thread=200001, frame=2)\n"
	             "ROOT 504 (kind=<Java stack>, thread=200001, frame=-1)\n"
	             "ROOT 505 (kind=<native stack>, thread=200001)\n"
	             "ROOT 506 (kind=<system class>, name=Sample)\n"
	             "ROOT 507 (kind=<thread block>, thread=200001)\n"
	             "ROOT 508 (kind=<busy monitor>)\n"
	             "ROOT 509 (kind=<thread>, id=200001, trace=300001)\n");
}
END_TEST

START_TEST(a_text_class_has_what_it_refers_to)
{
	heap_writer_class(heap, &sample_class);
	heap_writer_class(heap, &bare_class);
	expect_lines("CLS 50000010 (name=Sample, trace=300000)\n"
	             "\tsuper\t\t701\n"
	             "\tloader\t\t702\n"
	             "\tsigners\t\t703\n"
	             "\tdomain\t\t704\n"
	             "\tstatic work\t602\n"
	             "\tconstant[5]\t601\n"
	             "CLS 50000011 (name=Sample$$Lambda/0x1f, trace=300000)\n");
}
END_TEST

START_TEST(text_objects_have_what_they_refer_to)
{
	heap_writer_instance(heap, &instance);
	write_arrays();
	expect_lines("OBJ 801 (sz=32, trace=300001, class=Sample@50000010)\n"
	             "\twork\t\t801\n"
	             "\tSample.java\t802\n"
	             "ARR 901 (sz=4886718345, trace=300000, nelems=4, "
	             "elem type=Sample$$Lambda/0x1f@50000011)\n"
	             "\t[0]\t\t801\n"
	             "\t[3]\t\t902\n"
	             "ARR 902 (sz=24, trace=300000, nelems=3, elem type=int[])\n");
}
END_TEST

START_TEST(text_fields_end_where_the_values_do)
{
	struct heap_instance cut = instance;
	cut.values_length = 9; /* in the third field */
	heap_writer_instance(heap, &cut);
	cut.values_length = 3;
	heap_writer_instance(heap, &cut);
	expect_lines("OBJ 801 (sz=32, trace=300001, class=Sample@50000010)\n"
	             "\twork\t\t801\n"
	             "OBJ 801 (sz=32, trace=300001, class=Sample@50000010)\n");
}
END_TEST

START_TEST(records_of_other_threads_are_written_after_a_text_dump)
{
	static const char last[] = "HEAP DUMP END\nTHREAD END (id = 200001)\n";
	heap_writer_root(heap, &roots[0]);
	writer_thread_end(writer, &thread_main);
	for (int i = 0; i < 50000; i++)
		heap_writer_instance(heap, &instance);
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	ck_assert_uint_gt(memory->length, 2 * 1024 * 1024);
	expect_text(memory->bytes + memory->length - sizeof(last) + 1, sizeof(last) - 1, last);
}
END_TEST

/* ---- failures ---------------------------------------------------------- */

START_TEST(ids_and_arrays_that_do_not_fit_are_rejected)
{
	const struct heap_array huge = {
	        .object_id = 1, .length = UINT32_MAX, .type = HPROF_TYPE_DOUBLE};
	const struct heap_root far = {.kind = HPROF_SUB_ROOT_UNKNOWN,
	                              .object_id = UINT64_C(0x100000000)};

	heap_writer_primitive_array(heap, &huge);
	ck_assert(heap_writer_failed(heap));
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), BYTES_TOO_LARGE);

	begin_binary();
	heap_writer_root(heap, &far);
	ck_assert(heap_writer_failed(heap));
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), BYTES_TOO_LARGE);
	ck_assert_uint_eq(memory->length, header);
}
END_TEST

START_TEST(after_a_failure_of_the_sink_nothing_is_written)
{
	memory->fail_at = memory->calls + 3;
	for (int i = 0; i < 200000 && !heap_writer_failed(heap); i++)
		heap_writer_instance(heap, &instance);
	ck_assert(heap_writer_failed(heap));
	write_roots();
	heap_writer_class(heap, &sample_class);
	write_arrays();
	heap_writer_end(heap);
	ck_assert_uint_eq(memory->calls_after_failure, 0);
	ck_assert_ptr_null(heap_writer_begin(writer, &begin));
	ck_assert_int_eq(writer_close(writer), SINK_BROKEN);
}
END_TEST

/* Objects that could not be read are missing; the file still consists of whole records. */
START_TEST(a_dump_that_ends_in_an_array_is_of_whole_sub_records)
{
	heap_writer_root(heap, &roots[0]);
	heap_writer_object_array(heap, &objects);
	heap_writer_elements(heap, (const uint64_t[]){1, 2}, 2);
	expect_dump("1c ???????? 00000005 ff 00000501 2c ???????? 00000000");
}
END_TEST

START_TEST(a_dump_that_ends_before_a_large_array_lacks_it)
{
	const struct heap_array large = {
	        .object_id = 1, .length = 3 << 20, .type = HPROF_TYPE_BYTE};

	heap_writer_root(heap, &roots[0]);
	heap_writer_primitive_array(heap, &large);
	expect_dump("1c ???????? 00000005 ff 00000501 2c ???????? 00000000");
}
END_TEST

START_TEST(a_dump_that_ends_in_a_large_array_ends_its_segment)
{
	static const uint8_t some[1536 * 1024] = {7};
	const struct heap_array large = {
	        .object_id = 1, .length = 3 << 20, .type = HPROF_TYPE_BYTE};
	size_t segment = 9 + 1 + 4 + 4 + 4 + 1 + (3 << 20);

	heap_writer_primitive_array(heap, &large);
	heap_writer_bytes(heap, some, sizeof(some));
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	ck_assert_uint_eq(memory->length, header + segment + 9);
	expect_bytes(memory->bytes + header, 9 + 15,
	             "1c ???????? 0030000e 23 00000001 00000000 00300000 08 07");
	expect_bytes(memory->bytes + header + segment, 9, "2c ???????? 00000000");
}
END_TEST

START_TEST(an_empty_dump_writes_nothing)
{
	expect_dump("");
}
END_TEST

/* ---- traces ------------------------------------------------------------ */

static struct trace_table *make_traces(void)
{
	static const struct frame *const frame[] = {&frame_work};
	struct trace_table *traces = trace_table_create();
	bool created = false;

	ck_assert_ptr_nonnull(traces);
	ck_assert_ptr_nonnull(trace_table_intern(traces, frame, 1, 0, &created));
	ck_assert(created);
	return traces;
}

/* Another thread may have added a trace that a dump refers to, but not have written it yet. */
START_TEST(missing_traces_are_written_before_a_binary_dump)
{
	struct trace_table *traces = make_traces();
	const struct heap_begin with_traces = {.traces = traces};

	heap_writer_end(heap);
	heap = heap_writer_begin(writer, &with_traces);
	heap_writer_root(heap, &roots[8]);
	expect_dump("01 ???????? 0000000a 00000004 'Sample' "
	            "02 ???????? 00000010 000186a1 50000010 000493e0 00000004 "
	            "01 ???????? 00000008 00000005 'work' 01 ???????? 00000008 00000008 '(I)V' "
	            "01 ???????? 0000000f 00000007 'Sample.java' "
	            "04 ???????? 00000018 00000001 00000005 00000008 00000007 000186a1 00000006"
	            "05 ???????? 00000010 000493e1 00000000 00000001 00000001"
	            "1c ???????? 0000000d 08 00000509 00030d41 000493e1 2c ???????? 00000000");
	trace_table_destroy(traces);
}
END_TEST

START_TEST(missing_traces_are_written_before_a_text_dump)
{
	struct trace_table *traces = make_traces();
	const struct heap_begin with_traces = {.wall_ms = CREATED_WALL_MS, .traces = traces};

	heap_writer_end(heap);
	writer_flush(writer);
	header = memory->length;
	heap = heap_writer_begin(writer, &with_traces);
	heap_writer_end(heap);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_text(memory->bytes + header, memory->length - header,
	            "TRACE 300000:\n\t<empty>\n"
	            "TRACE 300001:\n\tSample.work(Sample.java:6)\n"
	            "HEAP DUMP BEGIN (0 objects, 0 bytes) Sat Nov 21 02:55:43 2026\n"
	            "HEAP DUMP END\n");
	trace_table_destroy(traces);
}
END_TEST

START_TEST(a_format_without_heap_dumps_starts_none)
{
	heap_writer_end(heap);
	(void)writer_close(writer);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_old, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_null(heap_writer_begin(writer, &begin));
	ck_assert_int_eq(writer_close(writer), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap writer");
	TCase *binary = tcase_create("binary");
	TCase *text = tcase_create("text");

	tcase_add_checked_fixture(binary, begin_binary, NULL);
	tcase_add_test(binary, binary_roots_have_threads_and_frames);
	tcase_add_test(binary, a_binary_class_comes_after_its_names);
	tcase_add_test(binary, binary_objects_have_their_values);
	tcase_add_test(binary, binary_ids_can_have_8_bytes);
	tcase_add_test(binary, a_long_dump_is_many_segments_of_whole_sub_records);
	tcase_add_test(binary, a_large_array_is_a_segment_of_its_own);
	tcase_add_test(binary, records_of_other_threads_are_written_between_segments);
	tcase_add_test(binary, ids_and_arrays_that_do_not_fit_are_rejected);
	tcase_add_test(binary, after_a_failure_of_the_sink_nothing_is_written);
	tcase_add_test(binary, a_dump_that_ends_in_an_array_is_of_whole_sub_records);
	tcase_add_test(binary, a_dump_that_ends_before_a_large_array_lacks_it);
	tcase_add_test(binary, a_dump_that_ends_in_a_large_array_ends_its_segment);
	tcase_add_test(binary, an_empty_dump_writes_nothing);
	tcase_add_test(binary, missing_traces_are_written_before_a_binary_dump);
	tcase_add_test(binary, a_format_without_heap_dumps_starts_none);
	tcase_add_checked_fixture(text, begin_text, NULL);
	tcase_add_test(text, text_roots_have_threads_and_frames);
	tcase_add_test(text, a_text_class_has_what_it_refers_to);
	tcase_add_test(text, text_objects_have_what_they_refer_to);
	tcase_add_test(text, text_fields_end_where_the_values_do);
	tcase_add_test(text, records_of_other_threads_are_written_after_a_text_dump);
	tcase_add_test(text, missing_traces_are_written_before_a_text_dump);
	suite_add_tcase(suite, binary);
	suite_add_tcase(suite, text);
	return run_suite(suite);
}
