/* marks: tsan */
/*
 * Tests of the record writer with a sink that fails, and of provisional tails.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include "base/byte_buffer.h"

#define EMPTY_TRACE "TRACE 300000:\n\t<empty>\n"
#define THREAD_END_LINE "THREAD END (id = 200001)\n"

static struct memory_sink *memory;
static struct record_writer *writer;

static void make_writer(void)
{
	memory = memory_sink_reset();
	writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
}

/* Checks the bytes of the sink from start on. */
static void expect_from(size_t start, const char *text)
{
	ck_assert_uint_ge(memory->length, start);
	expect_text(memory->bytes + start, memory->length - start, text);
}

static void set_tail(const char *text)
{
	ck_assert(writer_tail_begin(writer));
	writer_note(writer, text);
	writer_tail_end(writer);
}

/* ---- sinks that fail -------------------------------------------------- */

/* Writes records of all kinds, each with a separate call of the sink. */
static void write_everything(void)
{
	writer_control_settings(writer, CONTROL_CPU_SAMPLING, 4);
	writer_flush(writer);
	writer_thread_start(writer, &thread_main);
	writer_flush(writer);
	writer_class_load(writer, &class_sample);
	writer_flush(writer);
	writer_trace(writer, &trace_work);
	writer_flush(writer);
	writer_trace(writer, &trace_locked);
	if (writer_tail_begin(writer)) {
		writer_cpu_samples(writer, &samples);
		writer_tail_end(writer);
	}
	writer_class_unload(writer, &class_sample);
	writer_flush(writer);
	writer_cpu_samples(writer, &samples);
	writer_note(writer, "done");
	writer_flush(writer);
	writer_thread_end(writer, &thread_main);
}

static void fail_every_call_in_turn(const struct record_format *format)
{
	static uint8_t all[64 * 1024];
	unsigned calls = 0;

	for (unsigned fail_at = 0; fail_at == 0 || fail_at <= calls; fail_at++) {
		memory = memory_sink_reset();
		memory->fail_at = fail_at;
		writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
		ck_assert_ptr_nonnull(writer);
		ck_assert_int_eq(writer_error(writer), fail_at == 1 ? SINK_BROKEN : 0);
		write_everything();
		ck_assert_int_eq(writer_close(writer), fail_at == 0 ? 0 : SINK_BROKEN);
		ck_assert_uint_eq(memory->closed, 1);
		ck_assert_uint_eq(memory->calls_after_failure, 0);
		if (fail_at == 0) {
			calls = memory->calls;
			ck_assert_uint_ge(calls, 7);
			ck_assert_uint_le(memory->length, sizeof(all));
			memcpy(all, memory->bytes, memory->length);
		} else {
			ck_assert_uint_eq(memory->calls, fail_at);
			if (format == &record_format_text)
				ck_assert_mem_eq(memory->bytes, all, memory->appended);
		}
	}
}

START_TEST(nothing_is_written_after_a_failed_write_of_text)
{
	writer_close(writer);
	fail_every_call_in_turn(&record_format_text);
}
END_TEST

START_TEST(nothing_is_written_after_a_failed_write_of_binary)
{
	writer_close(writer);
	fail_every_call_in_turn(&record_format_binary);
}
END_TEST

/* A sink that is slow enough for another record to be written during its write. */
static int write_during_record(struct sink *sink, const void *bytes, size_t length)
{
	writer_thread_end(writer, &thread_main);
	return memory_write(sink, bytes, length);
}

static const struct sink_ops slow_ops = {
        .write = write_during_record,
        .close = memory_close,
};

START_TEST(a_record_added_during_a_failing_write_is_dropped)
{
	memory->sink.ops = &slow_ops;
	memory->fail_at = memory->calls + 1;
	writer_thread_start(writer, &thread_main);
	writer_flush(writer);
	ck_assert_int_eq(writer_close(writer), SINK_BROKEN);
	ck_assert_uint_eq(memory->calls_after_failure, 0);
}
END_TEST

START_TEST(the_first_error_is_returned)
{
	memory->fail_at = memory->calls + 1;
	memory->close_error = SINK_BROKEN + 1;
	writer_thread_end(writer, &thread_main);
	writer_flush(writer);
	ck_assert_int_eq(writer_error(writer), SINK_BROKEN);
	ck_assert_int_eq(writer_close(writer), SINK_BROKEN);
}
END_TEST

START_TEST(an_error_of_close_is_returned)
{
	memory->close_error = SINK_BROKEN;
	ck_assert_int_eq(writer_close(writer), SINK_BROKEN);
	ck_assert_uint_eq(memory->closed, 1);
}
END_TEST

/* ---- when the sink is called ------------------------------------------ */

START_TEST(records_reach_the_sink_at_a_flush)
{
	size_t start = memory->length;
	unsigned calls = memory->calls;

	writer_thread_end(writer, &thread_main);
	ck_assert_uint_eq(memory->calls, calls);
	writer_flush(writer);
	ck_assert_uint_eq(memory->calls, calls + 1);
	expect_from(start, THREAD_END_LINE);
	writer_flush(writer); /* nothing to flush */
	ck_assert_uint_eq(memory->calls, calls + 1);
	writer_close(writer);
}
END_TEST

START_TEST(records_reach_the_sink_past_the_high_water_mark)
{
	const size_t high_water = (size_t)256 * 1024;
	size_t start = memory->length;
	size_t written = 0;

	while (memory->length == start) {
		ck_assert_uint_lt(written, high_water);
		writer_thread_end(writer, &thread_main);
		written += strlen(THREAD_END_LINE);
	}
	ck_assert_uint_ge(written, high_water);
	ck_assert_uint_eq(memory->length - start, written);
	writer_close(writer);
}
END_TEST

START_TEST(records_can_be_written_while_the_sink_is_busy)
{
	size_t start = memory->length;

	memory->sink.ops = &slow_ops;
	writer_note(writer, "one");
	writer_flush(writer);
	expect_from(start, "NOTE: one\n");
	memory->sink.ops = &memory_ops;
	ck_assert_int_eq(writer_close(writer), 0);
	expect_from(start, "NOTE: one\n" THREAD_END_LINE);
}
END_TEST

/* ---- tails ------------------------------------------------------------ */

START_TEST(a_tail_is_written_after_the_records)
{
	size_t start = memory->length;

	writer_thread_end(writer, &thread_main);
	set_tail("one");
	expect_from(start, THREAD_END_LINE "NOTE: one\n");
	ck_assert_uint_eq(memory->appended, start + strlen(THREAD_END_LINE));
	writer_close(writer);
}
END_TEST

START_TEST(a_tail_replaces_the_one_before)
{
	size_t start = memory->length;

	set_tail("a long one");
	set_tail("two");
	expect_from(start, "NOTE: two\n");
	writer_thread_end(writer, &thread_main);
	set_tail("three");
	expect_from(start, THREAD_END_LINE "NOTE: three\n");
	ck_assert(writer_tail_begin(writer));
	writer_tail_end(writer);
	expect_from(start, THREAD_END_LINE);
	writer_close(writer);
}
END_TEST

START_TEST(the_next_record_removes_the_tail)
{
	size_t start = memory->length;

	set_tail("one");
	writer_thread_end(writer, &thread_main);
	expect_from(start, "NOTE: one\n");
	writer_flush(writer);
	expect_from(start, THREAD_END_LINE);
	writer_close(writer);
}
END_TEST

START_TEST(a_tail_without_later_records_stays)
{
	size_t start = memory->length;

	set_tail("one");
	writer_flush(writer);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_from(start, "NOTE: one\n");
}
END_TEST

START_TEST(records_that_others_refer_to_do_not_go_into_a_tail)
{
	writer_thread_start(writer, &thread_main);
	writer_flush(writer);
	size_t start = memory->length;

	ck_assert(writer_tail_begin(writer));
	writer_note(writer, "one");
	writer_trace(writer, &trace_locked);
	writer_thread_end(writer, &thread_main);
	writer_tail_end(writer);
	set_tail("two");
	expect_from(start,
	            "TRACE 300002: (thread=200001)\n"
	            "\tSample.locked(Sample.java:Unknown line)\n" THREAD_END_LINE "NOTE: two\n");
	writer_note(writer, "for good");
	writer_close(writer);
	expect_from(start, "TRACE 300002: (thread=200001)\n"
	                   "\tSample.locked(Sample.java:Unknown line)\n" THREAD_END_LINE
	                   "NOTE: for good\n");
}
END_TEST

static void write_a_note(void *arg)
{
	(void)arg;
	writer_note(writer, "of another thread");
	writer_flush(writer);
}

START_TEST(records_of_other_threads_do_not_go_into_an_open_tail)
{
	size_t start = memory->length;
	struct os_thread_handle other;

	ck_assert(writer_tail_begin(writer));
	writer_note(writer, "tail");
	ck_assert_int_eq(os_thread_start(&other, write_a_note, NULL), 0);
	os_thread_join(&other);
	expect_from(start, "NOTE: of another thread\n");
	writer_tail_end(writer);
	expect_from(start, "NOTE: of another thread\nNOTE: tail\n");
	writer_close(writer);
}
END_TEST

START_TEST(a_sink_without_tails_refuses_them)
{
	static const struct sink_ops no_tails = {.write = memory_write, .close = memory_close};
	size_t start = memory->length;

	memory->sink.ops = &no_tails;
	ck_assert(!writer_tail_begin(writer));
	writer_note(writer, "kept");
	writer_close(writer);
	expect_from(start, "NOTE: kept\n");
}
END_TEST

START_TEST(no_tail_begins_after_a_failure)
{
	memory->fail_at = memory->calls + 1;
	writer_thread_end(writer, &thread_main);
	writer_flush(writer);
	ck_assert(!writer_tail_begin(writer));
	writer_close(writer);
}
END_TEST

/* ---- records that fail ------------------------------------------------ */

static void write_too_large(void)
{
	const struct class_record class = {
	        .serial = 100003, .object_id = UINT64_C(0x100000000), .name = &name_class};
	writer_class_load(writer, &class);
}

START_TEST(a_failed_record_leaves_those_before_it)
{
	writer_close(writer);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_binary, &memory->sink, 4, CREATED_WALL_MS);
	size_t start = memory->length;

	writer_thread_end(writer, &thread_main);
	write_too_large();
	writer_thread_end(writer, &thread_main);
	ck_assert_int_eq(writer_close(writer), BYTES_TOO_LARGE);
	expect_bytes(memory->bytes + start, memory->length - start,
	             "0b ???????? 00000004 00030d41");
}
END_TEST

START_TEST(a_failed_record_leaves_the_last_tail)
{
	writer_close(writer);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_binary, &memory->sink, 4, CREATED_WALL_MS);

	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	size_t start = memory->length;
	ck_assert(writer_tail_begin(writer));
	writer_cpu_samples(writer, &samples);
	writer_tail_end(writer);
	writer_thread_end(writer, &thread_main);
	write_too_large();
	ck_assert_int_eq(writer_close(writer), BYTES_TOO_LARGE);
	expect_bytes(memory->bytes + start, memory->length - start,
	             "0d ???????? 00000018 00000003 00000002"
	             " 00000002 000493e1 00000001 000493e2");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_error");
	TCase *errors = tcase_create("errors");

	tcase_add_checked_fixture(errors, make_writer, NULL);
	tcase_add_test(errors, nothing_is_written_after_a_failed_write_of_text);
	tcase_add_test(errors, nothing_is_written_after_a_failed_write_of_binary);
	tcase_add_test(errors, a_record_added_during_a_failing_write_is_dropped);
	tcase_add_test(errors, the_first_error_is_returned);
	tcase_add_test(errors, an_error_of_close_is_returned);
	tcase_add_test(errors, records_reach_the_sink_at_a_flush);
	tcase_add_test(errors, records_reach_the_sink_past_the_high_water_mark);
	tcase_add_test(errors, records_can_be_written_while_the_sink_is_busy);
	tcase_add_test(errors, a_tail_is_written_after_the_records);
	tcase_add_test(errors, a_tail_replaces_the_one_before);
	tcase_add_test(errors, the_next_record_removes_the_tail);
	tcase_add_test(errors, a_tail_without_later_records_stays);
	tcase_add_test(errors, records_that_others_refer_to_do_not_go_into_a_tail);
	tcase_add_test(errors, records_of_other_threads_do_not_go_into_an_open_tail);
	tcase_add_test(errors, a_sink_without_tails_refuses_them);
	tcase_add_test(errors, no_tail_begins_after_a_failure);
	tcase_add_test(errors, a_failed_record_leaves_those_before_it);
	tcase_add_test(errors, a_failed_record_leaves_the_last_tail);
	suite_add_tcase(suite, errors);
	return run_suite(suite);
}
