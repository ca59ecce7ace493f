/*
 * Tests of the records of monitor=y: their lines, hostile names, and that the
 * binary format does not have them.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include <stdlib.h>
#include <time.h>

static const struct string signature_item = STRING(20, "LSample$Item;");
static const struct string signature_odd = STRING(21, "La\nMONITOR b;");
static const struct class_record class_item = {.serial = 100005, .signature = &signature_item};
static const struct class_record class_odd = {.serial = 100006, .signature = &signature_odd};

static const struct monitor_time_row time_rows[] = {
        {&trace_work, &class_item, {3, UINT64_C(9000000)}},
        {&trace_locked, &class_odd, {12345678, UINT64_C(2999999)}},
};
static const struct monitor_times_record times = {
        .wall_ms = CREATED_WALL_MS, .total_ns = 12000000, .row_count = 2, .rows = time_rows};

static uint32_t two_serials[] = {200007, 200008};
static uint32_t unknown_serials[] = {0, 200004};
static const struct monitor_dump_thread dump_threads[] = {
        {200001, &trace_empty, MONITOR_THREAD_RUNS, false, false},
        {200002, &trace_work, MONITOR_THREAD_ENTERS, false, true},
        {200003, &trace_work, MONITOR_THREAD_WAITS, true, true},
        {200004, &trace_work, MONITOR_THREAD_ENDED, true, false},
};
static const struct monitor_dump_monitor dump_monitors[] = {
        {&class_item, true, 200006, 2, {two_serials, 2}, {unknown_serials, 2}},
        {&class_odd, false, 0, 0, {NULL, 0}, {two_serials, 1}},
        {&class_item, true, 0, 0, {NULL, 0}, {NULL, 0}},
};
static const struct monitor_dump_record dump = {4, dump_threads, 3, dump_monitors};

/* Checks what the format has written since the writer was created. */
static const char *write_all(const struct record_format *format)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	/* The records refer to these; text starts with a thread. */
	writer_thread_start(writer, &thread_main);
	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	size_t header = memory->length;
	const struct monitor_wait_record wait = {false, &class_item, 60000, 200004};
	const struct monitor_wait_record waited = {true, &class_odd, 55, 200001};
	writer_monitor_wait(writer, &wait);
	writer_monitor_wait(writer, &waited);
	writer_monitor_dump(writer, &dump);
	writer_monitor_times(writer, &times);
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	return (const char *)memory->bytes + header;
}

START_TEST(lines_have_the_classic_shapes)
{
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	ck_assert_str_eq(write_all(&record_format_text),
	                 "WAIT: MONITOR LSample$Item;, timeout=60000, thread 200004\n"
	                 "WAITED: MONITOR La\\u000aMONITOR b;, time_waited=55, thread 200001\n"
	                 "MONITOR DUMP BEGIN\n"
	                 "    THREAD 200001, trace 300000, status: R\n"
	                 "    THREAD 200002, trace 300001, status: I|MW\n"
	                 "    THREAD 200003, trace 300001, status: S|I|CW\n"
	                 "    THREAD 200004, trace 300001, status: S|ZO\n"
	                 "    MONITOR LSample$Item;\n"
	                 "\towner: thread 200006, entry count: 2\n"
	                 "\twaiting to enter: thread 200007, thread 200008\n"
	                 "\twaiting to be notified: <unknown thread>, thread 200004\n"
	                 "    MONITOR La\\u000aMONITOR b; unowned\n"
	                 "\twaiting to be notified: thread 200007\n"
	                 "    MONITOR LSample$Item;\n"
	                 "\towner: <unknown thread>, entry count: -\n"
	                 "MONITOR DUMP END\n"
	                 "MONITOR TIME BEGIN (total = 12 ms) Sat Nov 21 02:55:43 2026\n"
	                 "rank   self  accum   count trace monitor\n"
	                 "   1 75.00% 75.00%       3 300001 LSample$Item; (Java)\n"
	                 "   2 25.00% 100.00% 12345678 300002 La\\u000aMONITOR b; (Java)\n"
	                 "MONITOR TIME END\n");
}
END_TEST

START_TEST(other_formats_have_no_such_records)
{
	ck_assert_str_eq(write_all(&record_format_binary), "");
	ck_assert_str_eq(write_all(&record_format_old), "");
}
END_TEST

/* Another thread may have added the traces but not have written them yet. */
START_TEST(missing_traces_are_written_first)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer =
	        writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	writer_thread_start(writer, &thread_main);
	writer_flush(writer);
	size_t header = memory->length;
	writer_trace(writer, &trace_work);
	writer_flush(writer);
	size_t length = memory->length - header;
	char trace[512];
	ck_assert_uint_lt(length, sizeof(trace));
	memcpy(trace, memory->bytes + header, length);
	ck_assert_int_eq(writer_close(writer), 0);

	memory = memory_sink_reset();
	writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	writer_thread_start(writer, &thread_main);
	writer_monitor_dump(writer, &dump);
	writer_monitor_times(writer, &times);
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	ck_assert_mem_eq(memory->bytes + header, trace, length);
	const char *after = (const char *)memory->bytes + header + length;
	ck_assert_int_eq(strncmp(after, "MONITOR DUMP BEGIN\n", 19), 0);
	after = strstr(after, "\nMONITOR DUMP END\n");
	ck_assert_ptr_nonnull(after);
	after += strlen("\nMONITOR DUMP END\n");
	ck_assert_int_eq(strncmp(after, "TRACE 300002:", 13), 0);
}
END_TEST

START_TEST(times_can_be_provisional_and_dumps_can_not)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer =
	        writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	writer_thread_start(writer, &thread_main);
	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	ck_assert(writer_tail_begin(writer));
	writer_monitor_times(writer, &times);
	size_t header = memory->length;
	writer_monitor_dump(writer, &dump);
	writer_tail_end(writer);
	memory->bytes[memory->length] = '\0';
	const char *begin = (const char *)memory->bytes + header;
	ck_assert_int_eq(strncmp(begin, "MONITOR DUMP BEGIN\n", 19), 0);
	ck_assert_uint_gt(memory->length, memory->appended);
	ck_assert_int_eq(
	        strncmp((const char *)memory->bytes + memory->appended, "MONITOR TIME", 12), 0);
	ck_assert_int_eq(writer_close(writer), 0);
}
END_TEST

static Suite *writer_monitors_suite(void)
{
	Suite *suite = suite_create("writer_monitors");
	TCase *tc = tcase_create("monitors");
	tcase_add_test(tc, lines_have_the_classic_shapes);
	tcase_add_test(tc, other_formats_have_no_such_records);
	tcase_add_test(tc, missing_traces_are_written_first);
	tcase_add_test(tc, times_can_be_provisional_and_dumps_can_not);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(writer_monitors_suite());
}
