/*
 * Tests of the THREAD MICROSTATES and TRACE MICROSTATES sections: their lines, unknown values, and
 * that the binary format does not have them.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include <stdlib.h>
#include <time.h>

static const struct string name_odd = STRING(20, "two\nlines \"quoted\"");

/* Checks what the format has written since the writer was created. */
static const char *written(const struct record_format *format,
                           const struct microstates_record *record)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	size_t header = memory->length;
	writer_microstates(writer, record);
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	return (const char *)memory->bytes + header;
}

START_TEST(a_row_has_all_states_in_ms_and_unknown_ones_as_dashes)
{
	const struct microstates_row rows[] = {
	        {
	                .thread_serial = 200001,
	                .name = &name_main,
	                .states = {.life_ns = UINT64_C(1234567891),
	                           .ns = {[OS_USR] = UINT64_C(1000000000),
	                                  [OS_SYS] = 999999,
	                                  [OS_LCK] = 1000,
	                                  [OS_SLP] = 0,
	                                  [OS_LAT] = UINT64_C(99999999999)},
	                           .known = 1u << OS_USR | 1u << OS_SYS | 1u << OS_LCK |
	                                    1u << OS_SLP | 1u << OS_LAT,
	                           .voluntary_switches = 7,
	                           .involuntary_switches = 123456789,
	                           .switches_known = true},
	        },
	        {.thread_serial = 200002, .name = &name_odd},
	};
	const struct microstates_record record = {
	        .wall_ms = CREATED_WALL_MS, .row_count = 2, .rows = rows};
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	ck_assert_str_eq(
	        written(&record_format_text, &record),
	        "THREAD MICROSTATES (ms) BEGIN (threads = 2) Sat Nov 21 02:55:43 2026\n"
	        "thread        life         usr         sys         trp         tfl         dfl"
	        "         lck         slp         lat      vcx      icx name\n"
	        "200001    1234.567    1000.000       0.999           -           -           -"
	        "       0.001       0.000   99999.999        7 123456789 \"main\"\n"
	        "200002           -           -           -           -           -           -"
	        "           -           -           -        -        - \"two\\u000alines "
	        "\"quoted\"\"\n"
	        "THREAD MICROSTATES (ms) END\n");
}
END_TEST

START_TEST(a_section_without_threads_has_its_lines)
{
	const struct microstates_record record = {.wall_ms = CREATED_WALL_MS};
	ck_assert_ptr_nonnull(strstr(written(&record_format_text, &record), "(threads = 0)"));
}
END_TEST

START_TEST(other_formats_have_no_such_section)
{
	const struct microstates_record record = {.wall_ms = CREATED_WALL_MS};
	const struct memory_sink *memory = memory_sink_reset();
	(void)written(&record_format_binary, &record);
	size_t with = memory->length;
	struct record_writer *writer = writer_create(
	        &record_format_binary, &memory_sink_reset()->sink, 4, CREATED_WALL_MS);
	ck_assert_int_eq(writer_close(writer), 0);
	ck_assert_uint_eq(with, memory->length);
}
END_TEST

/* What follows the traces. */
static const char *written_states(const struct trace_states_record *record)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer =
	        writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	writer_trace_states(writer, record);
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	ck_assert_ptr_nonnull(strstr((const char *)memory->bytes, "TRACE 300001:\n"));
	const char *section = strstr((const char *)memory->bytes, "\nTRACE MICROSTATES (ms) BEGIN");
	ck_assert_ptr_nonnull(section);
	return section + 1;
}

START_TEST(a_row_has_the_states_of_a_trace)
{
	const struct trace_states_row rows[] = {
	        {
	                .trace = &trace_work,
	                .calls = 1234567890,
	                .wall_ns = UINT64_C(1234567891),
	                .ns = {[TRACE_USR] = UINT64_C(1000000000), [TRACE_IO] = 999999},
	                .known = 1u << TRACE_USR | 1u << TRACE_LCK | 1u << TRACE_SLP |
	                         1u << TRACE_IO | 1u << TRACE_LAT | 1u << TRACE_STW,
	        },
	        {.trace = &trace_locked},
	};
	const struct trace_states_record record = {.wall_ms = CREATED_WALL_MS,
	                                           .total_ns = UINT64_C(5999999999),
	                                           .row_count = 2,
	                                           .rows = rows};
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	ck_assert_str_eq(
	        written_states(&record),
	        "TRACE MICROSTATES (ms) BEGIN (total = 5999, exact) Sat Nov 21 02:55:43 2026\n"
	        "rank        wall         usr         sys         tfl         dfl         lck"
	        "         slp         i/o         lat         stw    calls trace method\n"
	        "   1    1234.567    1000.000           -           -           -       0.000"
	        "       0.000       0.999       0.000       0.000 1234567890 300001 Sample.work\n"
	        "   2       0.000           -           -           -           -           -"
	        "           -           -           -           -        0 300002 Sample.locked\n"
	        "TRACE MICROSTATES (ms) END\n");
}
END_TEST

START_TEST(a_sampled_section_says_so_and_counts_samples)
{
	const struct trace_states_row rows[] = {{
	        .trace = &trace_work,
	        .calls = 42,
	        .wall_ns = 3000000,
	        .ns = {[TRACE_SLP] = 3000000},
	        .known = 1u << TRACE_SLP,
	}};
	const struct trace_states_record record = {.wall_ms = CREATED_WALL_MS,
	                                           .sampled = true,
	                                           .total_ns = UINT64_C(5999999999),
	                                           .row_count = 1,
	                                           .rows = rows};
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	ck_assert_str_eq(
	        written_states(&record),
	        "TRACE MICROSTATES (ms) BEGIN (total = 5999, sampled) Sat Nov 21 02:55:43 2026\n"
	        "rank        wall         usr         sys         tfl         dfl         lck"
	        "         slp         i/o         lat         stw  samples trace method\n"
	        "   1       3.000           -           -           -           -           -"
	        "       3.000           -           -           -       42 300001 Sample.work\n"
	        "TRACE MICROSTATES (ms) END\n");
}
END_TEST

static Suite *writer_microstates_suite(void)
{
	Suite *suite = suite_create("writer_microstates");
	TCase *tc = tcase_create("microstates");
	tcase_add_test(tc, a_row_has_all_states_in_ms_and_unknown_ones_as_dashes);
	tcase_add_test(tc, a_section_without_threads_has_its_lines);
	tcase_add_test(tc, other_formats_have_no_such_section);
	tcase_add_test(tc, a_row_has_the_states_of_a_trace);
	tcase_add_test(tc, a_sampled_section_says_so_and_counts_samples);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(writer_microstates_suite());
}
