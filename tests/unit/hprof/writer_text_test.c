/*
 * Tests of the text format: every byte of each record.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include <locale.h>
#include <stdlib.h>
#include <time.h>

/* The records before those of a test: a thread, and the empty trace. */
#define FIRST_RECORDS                                                                 \
	"--------\n\n"                                                                \
	"THREAD START (obj=500001c3, id = 200001, name=\"main\", group=\"system\")\n" \
	"TRACE 300000:\n\t<empty>\n"

static struct memory_sink *memory;
static struct record_writer *writer;

static void make_writer_of(const struct record_format *format)
{
	setenv("TZ", "UTC", 1);
	tzset();
	memory = memory_sink_reset();
	writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	writer_thread_start(writer, &thread_main);
}

static void make_writer(void)
{
	make_writer_of(&record_format_text);
}

/* Closes the writer and checks what it wrote after FIRST_RECORDS. */
static void expect_records(const char *text)
{
	ck_assert_int_eq(writer_close(writer), 0);
	ck_assert_uint_eq(memory->closed, 1);
	ck_assert_uint_lt(memory->length, sizeof(memory->bytes));
	memory->bytes[memory->length] = '\0';
	const char *end = strstr((const char *)memory->bytes, FIRST_RECORDS);
	ck_assert_ptr_nonnull(end);
	const char *records = end + strlen(FIRST_RECORDS);
	expect_text((const uint8_t *)records, strlen(records), text);
}

START_TEST(a_profile_begins_with_the_classic_line)
{
	static const char first[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n\n";

	ck_assert_uint_gt(memory->length, sizeof(first));
	expect_text(memory->bytes, sizeof(first) - 1, first);
	expect_records("");
}
END_TEST

START_TEST(no_line_of_the_preamble_looks_like_a_record)
{
	expect_records("");
	char *line = strchr((char *)memory->bytes, '\n') + 1;
	unsigned lines = 0;

	while (strncmp(line, "--------\n", 9) != 0) {
		ck_assert_msg(*line == ' ' || *line == '\n', "%.40s", line);
		line = strchr(line, '\n') + 1;
		lines++;
	}
	ck_assert_uint_gt(lines, 10);
}
END_TEST

/* Readers search the whole file for these. */
START_TEST(the_preamble_has_no_first_or_last_line_of_a_section)
{
	static const char *const titles[] = {"SITES",        "CPU SAMPLES",  "(ms)",
	                                     "MONITOR DUMP", "MONITOR TIME", "HEAP DUMP"};
	expect_records("");
	char *end = strstr((char *)memory->bytes, "--------\n");
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		char mark[32];
		snprintf(mark, sizeof(mark), "%s BEGIN", titles[i]);
		ck_assert_msg(strstr((char *)memory->bytes, mark) == NULL, "%s", mark);
		snprintf(mark, sizeof(mark), "%s END", titles[i]);
		ck_assert_msg(strstr((char *)memory->bytes, mark) == NULL, "%s", mark);
	}
}
END_TEST

START_TEST(the_preamble_explains_each_record_kind)
{
	static const char *const kinds[] = {"THREAD START", "THREAD END", "TRACE ", "CPU SAMPLES",
	                                    "NOTE:"};

	expect_records("");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char line[64];
		snprintf(line, sizeof(line), "\n    %s", kinds[i]);
		ck_assert_msg(strstr((char *)memory->bytes, line) != NULL, "%s", kinds[i]);
	}
}
END_TEST

START_TEST(threads_start_and_end)
{
	writer_thread_start(writer, &thread_main);
	writer_thread_end(writer, &thread_main);
	expect_records("THREAD START (obj=500001c3, id = 200001, name=\"main\", "
	               "group=\"system\")\n"
	               "THREAD END (id = 200001)\n");
}
END_TEST

START_TEST(traces_show_class_method_source_and_line)
{
	writer_trace(writer, &trace_work);
	expect_records("TRACE 300001:\n"
	               "\tSample.work(Sample.java:6)\n"
	               "\tSample.locked(Sample.java:Unknown line)\n"
	               "\tSample$$Lambda/0x1f.run(<Unknown Source>:Unknown line)\n"
	               "\tSample.work(Sample.java:Unknown line)\n");
}
END_TEST

START_TEST(native_methods_are_marked_in_a_version_of_its_own)
{
	(void)writer_close(writer);
	make_writer_of(&record_format_text_native);
	writer_trace(writer, &trace_locked);
	expect_records("TRACE 300002: (thread=200001)\n"
	               "\tSample.locked(Sample.java:Native method)\n");
}
END_TEST

/* As when threads of the program allocate while the agent is being attached. */
START_TEST(a_trace_waits_for_the_first_thread_or_record_that_refers_to_it)
{
	const struct cost_row rows[] = {{&trace_locked, 1}};
	const struct cpu_samples_record section = {
	        .wall_ms = CREATED_WALL_MS, .total = 1, .rows = rows, .row_count = 1};

	(void)writer_close(writer);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	size_t header = memory->length;
	writer_trace(writer, &trace_locked);
	writer_thread_start(writer, &thread_main);
	writer_cpu_samples(writer, &section);
	writer_trace(writer, &trace_locked);
	ck_assert_int_eq(writer_close(writer), 0);
	static const char text[] =
	        "THREAD START (obj=500001c3, id = 200001, name=\"main\", group=\"system\")\n"
	        "TRACE 300000:\n\t<empty>\n"
	        "TRACE 300002: (thread=200001)\n"
	        "\tSample.locked(Sample.java:Unknown line)\n"
	        "CPU SAMPLES BEGIN";
	ck_assert_uint_gt(memory->length - header, sizeof(text));
	expect_text(memory->bytes + header, sizeof(text) - 1, text);
}
END_TEST

START_TEST(traces_of_one_thread_name_it)
{
	const struct trace bare = {.serial = 300003, .thread_serial = 200007};

	writer_trace(writer, &trace_locked);
	writer_trace(writer, &bare);
	expect_records("TRACE 300002: (thread=200001)\n"
	               "\tSample.locked(Sample.java:Unknown line)\n"
	               "TRACE 300003: (thread=200007)\n"
	               "\t<empty>\n");
}
END_TEST

/* Writes the traces before the section, so that its tests need not repeat them. */
static void expect_section(const char *text)
{
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	const char *section = strstr((const char *)memory->bytes, "\nCPU SAMPLES BEGIN");
	/* The preamble may contain the words, too. */
	for (const char *next = section; next != NULL;
	     next = strstr(next + 1, "\nCPU SAMPLES BEGIN"))
		section = next;
	ck_assert_ptr_nonnull(section);
	section++;
	expect_text((const uint8_t *)section, strlen(section), text);
}

START_TEST(a_missing_trace_is_written_before_the_section_that_refers_to_it)
{
	const struct cost_row rows[] = {{&trace_locked, 1}, {&trace_work, 0}};
	const struct cpu_samples_record record = {
	        .wall_ms = CREATED_WALL_MS, .total = 1, .row_count = 2, .rows = rows};

	size_t header = memory->length;
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	size_t trace_length = memory->length - header;
	char trace[256];
	ck_assert_uint_lt(trace_length, sizeof(trace));
	memcpy(trace, memory->bytes + header, trace_length);
	writer_close(writer);
	make_writer();
	writer_cpu_samples(writer, &record);
	writer_flush(writer);
	ck_assert_uint_gt(memory->length, header + trace_length);
	ck_assert_mem_eq(memory->bytes + header, trace, trace_length);
	writer_trace(writer, &trace_locked);
	expect_section("CPU SAMPLES BEGIN (total = 1) Sat Nov 21 02:55:43 2026\n"
	               "rank   self  accum   count trace method\n"
	               "   1 100.00% 100.00%       1 300002 Sample.locked\n"
	               "CPU SAMPLES END\n");
}
END_TEST

START_TEST(cpu_samples_are_ranked_with_percentages)
{
	const struct cost_row rows[] = {
	        {&trace_work, 146}, {&trace_locked, 131}, {&trace_empty, 1}};
	const struct cpu_samples_record record = {
	        .wall_ms = CREATED_WALL_MS, .total = 437, .row_count = 3, .rows = rows};

	writer_cpu_samples(writer, &record);
	expect_section("CPU SAMPLES BEGIN (total = 437) Sat Nov 21 02:55:43 2026\n"
	               "rank   self  accum   count trace method\n"
	               "   1 33.41% 33.41%     146 300001 Sample.work\n"
	               "   2 29.98% 63.39%     131 300002 Sample.locked\n"
	               "   3  0.23% 63.62%       1 300000 <empty trace>\n"
	               "CPU SAMPLES END\n");
}
END_TEST

START_TEST(cpu_samples_without_samples_are_an_empty_section)
{
	const struct cost_row rows[] = {{&trace_work, 0}};
	const struct cpu_samples_record record = {
	        .wall_ms = CREATED_WALL_MS, .total = 0, .row_count = 1, .rows = rows};

	writer_cpu_samples(writer, &record);
	expect_section("CPU SAMPLES BEGIN (total = 0) Sat Nov 21 02:55:43 2026\n"
	               "rank   self  accum   count trace method\n"
	               "CPU SAMPLES END\n");
}
END_TEST

START_TEST(large_numbers_are_whole)
{
	const struct cost_row rows[] = {{&trace_work, UINT64_MAX}};
	const struct cpu_samples_record record = {
	        .wall_ms = CREATED_WALL_MS, .total = UINT64_MAX, .row_count = 1, .rows = rows};
	const struct thread_record thread = {.serial = UINT32_MAX,
	                                     .object_id = UINT64_MAX,
	                                     .name = &name_main,
	                                     .group = &name_none,
	                                     .parent_group = &name_none};

	writer_cpu_samples(writer, &record);
	writer_thread_start(writer, &thread);
	expect_section("CPU SAMPLES BEGIN (total = 18446744073709551615) "
	               "Sat Nov 21 02:55:43 2026\n"
	               "rank   self  accum   count trace method\n"
	               "   1 100.00% 100.00% 18446744073709551615 300001 Sample.work\n"
	               "CPU SAMPLES END\n"
	               "THREAD START (obj=ffffffffffffffff, id = 4294967295, name=\"main\", "
	               "group=\"\")\n");
}
END_TEST

START_TEST(nothing_is_no_share_of_nothing)
{
	const struct time_row rows[] = {{.trace = &trace_work, .calls = 3},
	                                {.trace = &trace_locked, .calls = 1}};
	const struct times_record record = {.section = TIME_SECTION_CPU,
	                                    .wall_ms = CREATED_WALL_MS,
	                                    .total_ns = 0,
	                                    .row_count = 2,
	                                    .rows = rows};

	writer_times(writer, &record);
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	ck_assert_ptr_nonnull(strstr((const char *)memory->bytes,
	                             "rank   self  accum   count trace method\n"
	                             "   1  0.00%  0.00%       3 300001 Sample.work\n"
	                             "   2  0.00%  0.00%       1 300002 Sample.locked\n"
	                             "CPU TIME (ms) END\n"));
}
END_TEST

START_TEST(a_locale_of_the_program_does_not_change_the_numbers)
{
	const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	size_t i = 0;

	/* Without such a locale on this machine, the test checks nothing. */
	while (i < 4 && !setlocale(LC_ALL, locales[i]))
		i++;
	writer_cpu_samples(writer, &samples);
	expect_section("CPU SAMPLES BEGIN (total = 3) Sat Nov 21 02:55:43 2026\n"
	               "rank   self  accum   count trace method\n"
	               "   1 66.67% 66.67%       2 300001 Sample.work\n"
	               "   2 33.33% 100.00%       1 300002 Sample.locked\n"
	               "CPU SAMPLES END\n");
}
END_TEST

static void start_thread_named(const char *bytes, size_t length)
{
	const struct string name = {.id = 20, .length = (uint32_t)length, .text = bytes};
	const struct thread_record thread = {.serial = 200009,
	                                     .object_id = 0x50000001,
	                                     .name = &name,
	                                     .group = &name_group,
	                                     .parent_group = &name_none};
	writer_thread_start(writer, &thread);
}

START_TEST(a_name_can_not_forge_a_record)
{
	static const char name[] = "x\")\nTHREAD END (id = 200001)\r\t\x1b\x7f";

	start_thread_named(name, sizeof(name) - 1);
	expect_records("THREAD START (obj=50000001, id = 200009, name=\"x\")\\u000a"
	               "THREAD END (id = 200001)\\u000d\\u0009\\u001b\\u007f\", "
	               "group=\"system\")\n");
}
END_TEST

START_TEST(unicode_line_ends_and_nuls_are_escaped)
{
	static const char name[] = "a\0b\xc2\x85\xc2\x9f"
	                           "c\xe2\x80\xa8\xe2\x80\xa9";

	start_thread_named(name, sizeof(name) - 1);
	expect_records("THREAD START (obj=50000001, id = 200009, "
	               "name=\"a\\u0000b\\u0085\\u009fc\\u2028\\u2029\", group=\"system\")\n");
}
END_TEST

START_TEST(other_characters_stay_as_they_are)
{
	/* Quotes, a backslash, U+00A0, U+2027, U+202A, U+1F600, cut-off bytes. */
	static const char name[] = "\"'\\ \xc2\xa0\xe2\x80\xa7\xe2\x80\xaa\xf0\x9f\x98\x80\xe2\x80";

	start_thread_named(name, sizeof(name) - 1);
	expect_records("THREAD START (obj=50000001, id = 200009, name=\"\"'\\ "
	               "\xc2\xa0\xe2\x80\xa7\xe2\x80\xaa\xf0\x9f\x98\x80\xe2\x80\", "
	               "group=\"system\")\n");
}
END_TEST

START_TEST(a_cut_off_character_does_not_read_past_the_name)
{
	static const char name[] = "a\xc2\x85";

	start_thread_named(name, 2);
	expect_records("THREAD START (obj=50000001, id = 200009, name=\"a\xc2\", "
	               "group=\"system\")\n");
}
END_TEST

START_TEST(hostile_classes_methods_and_sources_are_escaped)
{
	const struct string class_name = STRING(30, "Bad\nTRACE 1:");
	const struct string method_name = STRING(31, "m\n");
	const struct string source = STRING(32, "S\n.java");
	const struct class_record class = {.serial = 100009, .object_id = 1, .name = &class_name};
	const struct method method = {.class = &class,
	                              .name = &method_name,
	                              .signature = &name_signature,
	                              .source = &source};
	const struct frame frame = {.id = 9, .method = &method, .line = 1};
	const struct frame *const frames[] = {&frame};
	const struct trace trace = {.serial = 300009, .depth = 1, .frames = frames};

	writer_trace(writer, &trace);
	expect_records("TRACE 300009:\n"
	               "\tBad\\u000aTRACE 1:.m\\u000a(S\\u000a.java:1)\n");
}
END_TEST

START_TEST(a_name_longer_than_64k_is_whole)
{
	static char name[100000];
	static char expected[100200];

	memset(name, 'n', sizeof(name));
	start_thread_named(name, sizeof(name));
	snprintf(expected, sizeof(expected),
	         "THREAD START (obj=50000001, id = 200009, name=\"%.*s\", group=\"system\")\n",
	         (int)sizeof(name), name);
	expect_records(expected);
}
END_TEST

START_TEST(pairs_of_calls_are_the_table_of_cpu_old)
{
	const struct call_pair_row rows[] = {
	        {.callee = &method_work,
	         .caller = &method_locked,
	         .calls = 60,
	         .total_ns = 2999999},
	        {.callee = &method_locked, .caller = NULL, .calls = 1, .total_ns = 3000000},
	};

	writer_call_pairs(writer, rows, 2);
	expect_records("count callee caller time\n"
	               "60 Sample.work(I)V Sample.locked(I)V 2\n"
	               "1 Sample.locked(I)V <unknown caller> 3\n");
}
END_TEST

START_TEST(notes_are_one_line)
{
	writer_note(writer, "3 samples\nwere lost");
	expect_records("NOTE: 3 samples\\u000awere lost\n");
}
END_TEST

START_TEST(records_that_text_lacks_are_left_out)
{
	writer_class_load(writer, &class_sample);
	writer_class_unload(writer, &class_sample);
	writer_control_settings(writer, CONTROL_CPU_SAMPLING, 4);
	expect_records("");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_text");
	TCase *text = tcase_create("text");

	tcase_add_checked_fixture(text, make_writer, NULL);
	tcase_add_test(text, a_profile_begins_with_the_classic_line);
	tcase_add_test(text, no_line_of_the_preamble_looks_like_a_record);
	tcase_add_test(text, the_preamble_has_no_first_or_last_line_of_a_section);
	tcase_add_test(text, the_preamble_explains_each_record_kind);
	tcase_add_test(text, threads_start_and_end);
	tcase_add_test(text, traces_show_class_method_source_and_line);
	tcase_add_test(text, native_methods_are_marked_in_a_version_of_its_own);
	tcase_add_test(text, a_trace_waits_for_the_first_thread_or_record_that_refers_to_it);
	tcase_add_test(text, traces_of_one_thread_name_it);
	tcase_add_test(text, pairs_of_calls_are_the_table_of_cpu_old);
	tcase_add_test(text, a_missing_trace_is_written_before_the_section_that_refers_to_it);
	tcase_add_test(text, cpu_samples_are_ranked_with_percentages);
	tcase_add_test(text, cpu_samples_without_samples_are_an_empty_section);
	tcase_add_test(text, large_numbers_are_whole);
	tcase_add_test(text, nothing_is_no_share_of_nothing);
	tcase_add_test(text, a_locale_of_the_program_does_not_change_the_numbers);
	tcase_add_test(text, a_name_can_not_forge_a_record);
	tcase_add_test(text, unicode_line_ends_and_nuls_are_escaped);
	tcase_add_test(text, other_characters_stay_as_they_are);
	tcase_add_test(text, a_cut_off_character_does_not_read_past_the_name);
	tcase_add_test(text, hostile_classes_methods_and_sources_are_escaped);
	tcase_add_test(text, a_name_longer_than_64k_is_whole);
	tcase_add_test(text, notes_are_one_line);
	tcase_add_test(text, records_that_text_lacks_are_left_out);
	suite_add_tcase(suite, text);
	return run_suite(suite);
}
