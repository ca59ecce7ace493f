/*
 * Tests of the sections SAMPLE TIMES and TRACE COSTS: their lines, the traces that precede
 * them, and that the binary format has neither.
 */
#include "output/trace_cost_list.h"
#include "run_suite.h"
#include "writer_fixture.h"

#include <stdlib.h>
#include <time.h>

static struct memory_sink *memory;
static size_t header;

static struct record_writer *create(const struct record_format *format)
{
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	memory = memory_sink_reset();
	struct record_writer *writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	header = memory->length;
	return writer;
}

/* What was written after the header. */
static const char *finish(struct record_writer *writer)
{
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	return (const char *)memory->bytes + header;
}

/* From the first section on. */
static const char *section_of(const char *text, const char *title)
{
	const char *found = strstr(text, title);
	ck_assert_msg(found != NULL, "no %s in %s", title, text);
	return found;
}

START_TEST(sample_times_are_a_line_for_each_trace)
{
	const struct sample_time_row rows[] = {{&trace_work, 0, 1},
	                                       {&trace_work, 3, 2},
	                                       {&trace_work, UINT64_C(1) << 40, 1},
	                                       {&trace_locked, 3, UINT64_MAX}};
	const struct sample_times_record record = {.wall_ms = CREATED_WALL_MS,
	                                           .start_wall_ms = CREATED_WALL_MS,
	                                           .bucket_ms = 100,
	                                           .row_count = 4,
	                                           .rows = rows};
	struct record_writer *writer = create(&record_format_text);
	writer_sample_times(writer, &record);
	const char *text = finish(writer);
	ck_assert_str_eq(section_of(text, "SAMPLE TIMES"),
	                 "SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1795229743123) "
	                 "Sat Nov 21 02:55:43 2026\n"
	                 "300001 0:1 3:2 1099511627776:1\n"
	                 "300002 3:18446744073709551615\n"
	                 "SAMPLE TIMES END\n");
	ck_assert(strstr(text, "TRACE 300001:\n") != NULL && strstr(text, "TRACE 300002:") != NULL);
}
END_TEST

START_TEST(a_section_without_rows_has_its_first_and_last_line)
{
	const struct sample_times_record times = {.wall_ms = CREATED_WALL_MS, .bucket_ms = 200};
	const struct trace_costs_record costs = {.section = COST_SECTION_OFF_CPU,
	                                         .wall_ms = CREATED_WALL_MS};
	struct record_writer *writer = create(&record_format_text);
	writer_sample_times(writer, &times);
	writer_trace_costs(writer, &costs);
	ck_assert_str_eq(finish(writer),
	                 "SAMPLE TIMES BEGIN (bucket = 200 ms, start = 0) "
	                 "Sat Nov 21 02:55:43 2026\n"
	                 "SAMPLE TIMES END\n"
	                 "TRACE COSTS BEGIN (OFF-CPU TIME, total = 0 ns) Sat Nov 21 02:55:43 2026\n"
	                 "TRACE COSTS END\n");
}
END_TEST

START_TEST(trace_costs_have_ns_and_count)
{
	const struct trace_cost_row rows[] = {{&trace_work, 1234567, 42}, {&trace_locked, 0, 1}};
	const struct trace_costs_record record = {.section = COST_SECTION_CPU,
	                                          .wall_ms = CREATED_WALL_MS,
	                                          .total_ns = 1234567,
	                                          .row_count = 2,
	                                          .rows = rows};
	struct record_writer *writer = create(&record_format_text);
	writer_trace_costs(writer, &record);
	ck_assert_str_eq(section_of(finish(writer), "TRACE COSTS"),
	                 "TRACE COSTS BEGIN (CPU TIME, total = 1234567 ns) "
	                 "Sat Nov 21 02:55:43 2026\n"
	                 "300001 1234567 42\n"
	                 "300002 0 1\n"
	                 "TRACE COSTS END\n");
}
END_TEST

START_TEST(a_list_merges_sorts_and_sums_its_rows)
{
	struct trace_cost_list list = {.section = COST_SECTION_MONITOR};
	struct record_writer *writer = create(&record_format_text);

	ck_assert(trace_cost_list_add(&list, &trace_locked, 5, 1));
	ck_assert(trace_cost_list_add(&list, &trace_work, 7, 2));
	ck_assert(trace_cost_list_add(&list, &trace_empty, 0, 0));
	ck_assert(trace_cost_list_add(&list, &trace_locked, 0, 3));
	trace_cost_list_write(&list, writer);
	trace_cost_list_free(&list);
	const char *text = section_of(finish(writer), "TRACE COSTS");
	ck_assert_int_eq(strncmp(text, "TRACE COSTS BEGIN (MONITOR TIME, total = 12 ns) ", 48), 0);
	ck_assert_str_eq(strchr(text, '\n') + 1, "300001 7 2\n300002 5 4\nTRACE COSTS END\n");
}
END_TEST

START_TEST(a_list_grows)
{
	enum { ROWS = 1000 };
	static struct trace many[ROWS];
	struct trace_cost_list list = {.section = COST_SECTION_CPU};
	struct record_writer *writer = create(&record_format_text);

	for (uint32_t i = 0; i < ROWS; i++) {
		many[i].serial = 300001 + i;
		ck_assert(trace_cost_list_add(&list, &many[i], 2, 1));
	}
	trace_cost_list_write(&list, writer);
	ck_assert_uint_eq(list.count, ROWS);
	trace_cost_list_free(&list);
	(void)section_of(finish(writer), "(CPU TIME, total = 2000 ns)");
}
END_TEST

START_TEST(an_empty_list_is_an_empty_section)
{
	struct trace_cost_list list = {.section = COST_SECTION_CPU};
	struct record_writer *writer = create(&record_format_text);

	trace_cost_list_write(&list, writer);
	trace_cost_list_free(&list);
	(void)section_of(finish(writer), "(CPU TIME, total = 0 ns)");
}
END_TEST

/* These sections are in the provisional end of the file, too. */
START_TEST(in_a_tail_both_are_replaced)
{
	const struct sample_time_row row = {&trace_work, 0, 1};
	const struct sample_times_record times = {.bucket_ms = 100, .row_count = 1, .rows = &row};
	const struct trace_cost_row cost = {&trace_work, 1, 1};
	const struct trace_costs_record costs = {.row_count = 1, .rows = &cost};
	struct record_writer *writer = create(&record_format_text);

	ck_assert(writer_tail_begin(writer));
	writer_sample_times(writer, &times);
	writer_trace_costs(writer, &costs);
	writer_tail_end(writer);
	memory->bytes[memory->length] = '\0';
	const char *before = (const char *)memory->bytes + header;
	(void)section_of(before, "SAMPLE TIMES END\n");
	(void)section_of(before, "TRACE COSTS END\n");
	ck_assert(strstr(before, "TRACE 300001:") < strstr(before, "SAMPLE TIMES BEGIN"));
	writer_note(writer, "the end");
	const char *after = finish(writer);
	ck_assert_ptr_null(strstr(after, "SAMPLE TIMES"));
	ck_assert_ptr_null(strstr(after, "TRACE COSTS"));
	ck_assert_ptr_nonnull(strstr(after, "TRACE 300001:"));
}
END_TEST

START_TEST(the_binary_format_has_neither)
{
	const struct sample_times_record times = {.bucket_ms = 100};
	const struct trace_costs_record costs = {.section = COST_SECTION_CPU};
	struct record_writer *writer = create(&record_format_binary);
	writer_sample_times(writer, &times);
	writer_trace_costs(writer, &costs);
	(void)finish(writer);
	ck_assert_uint_eq(memory->length, header);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_details");
	TCase *tests = tcase_create("sections");

	tcase_add_test(tests, sample_times_are_a_line_for_each_trace);
	tcase_add_test(tests, a_section_without_rows_has_its_first_and_last_line);
	tcase_add_test(tests, trace_costs_have_ns_and_count);
	tcase_add_test(tests, a_list_merges_sorts_and_sums_its_rows);
	tcase_add_test(tests, a_list_grows);
	tcase_add_test(tests, an_empty_list_is_an_empty_section);
	tcase_add_test(tests, in_a_tail_both_are_replaced);
	tcase_add_test(tests, the_binary_format_has_neither);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
