/* marks: timed, tsan, not_emulated */
/*
 * Tests of the record writer with several threads at once.
 */
#include "run_suite.h"
#include "writer_fixture.h"

#include <stdatomic.h>
#include <stdlib.h>

#define WRITERS 4u
#define RECORDS 5000u

static struct memory_sink *memory;
static struct record_writer *writer;
static atomic_bool stop;

/* A name whose length identifies its record, so that bytes of another record are
 * detected. */
static size_t name_length(unsigned thread, unsigned record)
{
	return 1 + (record * 7 + thread * 13) % 97;
}

static void write_records(void *arg)
{
	const unsigned thread = (unsigned)(uintptr_t)arg;
	char text[128];

	memset(text, (int)('a' + thread), sizeof(text));
	for (unsigned i = 0; i < RECORDS; i++) {
		const struct string name = {.id = 100 + thread * RECORDS + i,
		                            .length = (uint32_t)name_length(thread, i),
		                            .text = text};
		const struct thread_record record = {.serial = i,
		                                     .object_id = thread,
		                                     .name = &name,
		                                     .group = &name,
		                                     .parent_group = &name};
		writer_thread_start(writer, &record);
	}
}

/* Acts as the agent thread: flushes, and replaces the tail. */
static void flush_and_tail(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		writer_flush(writer);
		if (writer_tail_begin(writer)) {
			writer_cpu_samples(writer, &samples);
			writer_tail_end(writer);
		}
	}
}

static size_t first_record; /* its offset in the output */

static void run_threads(const struct record_format *format)
{
	struct os_thread_handle writers[WRITERS];
	struct os_thread_handle flusher;

	atomic_store(&stop, false);
	memory = memory_sink_reset();
	writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	/* Tails refer to these; text starts with a thread. */
	writer_thread_start(writer, &thread_main);
	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	writer_flush(writer);
	first_record = memory->length;
	ck_assert_int_eq(os_thread_start(&flusher, flush_and_tail, NULL), 0);
	for (unsigned i = 0; i < WRITERS; i++)
		ck_assert_int_eq(os_thread_start(&writers[i], write_records, (void *)(uintptr_t)i),
		                 0);
	for (unsigned i = 0; i < WRITERS; i++)
		os_thread_join(&writers[i]);
	atomic_store(&stop, true);
	os_thread_join(&flusher);
	ck_assert_int_eq(writer_close(writer), 0);
}

START_TEST(text_records_of_several_threads_never_mix)
{
	unsigned next[WRITERS] = {0};

	run_threads(&record_format_text);
	memory->bytes[memory->appended] = '\0';
	for (char *line = (char *)memory->bytes + first_record; *line != '\0';
	     line = strchr(line, '\n') + 1) {
		unsigned thread = 0;
		unsigned record = 0;
		char expected[400];
		char text[128];

		ck_assert_int_eq(sscanf(line, "THREAD START (obj=%x, id = %u", &thread, &record),
		                 2);
		ck_assert_uint_lt(thread, WRITERS);
		ck_assert_uint_eq(record, next[thread]++); /* in order, none missing */
		int length = (int)name_length(thread, record);
		memset(text, (int)('a' + thread), sizeof(text));
		snprintf(expected, sizeof(expected),
		         "THREAD START (obj=%x, id = %u, name=\"%.*s\", group=\"%.*s\")\n", thread,
		         record, length, text, length, text);
		ck_assert_msg(strncmp(line, expected, strlen(expected)) == 0,
		              "expected %ssaw %.200s", expected, line);
	}
	for (unsigned i = 0; i < WRITERS; i++)
		ck_assert_uint_eq(next[i], RECORDS);
}
END_TEST

static uint32_t u4(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

START_TEST(binary_records_of_several_threads_never_mix)
{
	unsigned next[WRITERS] = {0};
	uint32_t string_id = 0;

	run_threads(&record_format_binary);
	size_t at = first_record;
	uint32_t last_time = u4(memory->bytes + at + 1);
	while (at < memory->appended) {
		const uint8_t *record = memory->bytes + at;
		ck_assert_uint_le(at + 9, memory->appended);
		uint32_t length = u4(record + 5);
		ck_assert_uint_le(at + 9 + length, memory->appended);
		uint32_t time = u4(record + 1);
		ck_assert_uint_lt(time - last_time, 1u << 31); /* never back */
		last_time = time;
		if (record[0] == 0x01) {
			string_id = u4(record + 9);
		} else {
			ck_assert_uint_eq(record[0], 0x0a);
			uint32_t serial = u4(record + 9);
			uint32_t thread = u4(record + 13);
			ck_assert_uint_lt(thread, WRITERS);
			ck_assert_uint_eq(serial, next[thread]++);
			ck_assert_uint_eq(string_id, 100 + thread * RECORDS + serial);
			ck_assert_uint_eq(u4(record + 21), string_id);
		}
		at += 9 + length;
	}
	for (unsigned i = 0; i < WRITERS; i++)
		ck_assert_uint_eq(next[i], RECORDS);
}
END_TEST

START_TEST(a_failure_among_several_threads_stops_all)
{
	struct os_thread_handle writers[WRITERS];

	memory = memory_sink_reset();
	writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	memory->fail_at = 3;
	for (unsigned i = 0; i < WRITERS; i++)
		ck_assert_int_eq(os_thread_start(&writers[i], write_records, (void *)(uintptr_t)i),
		                 0);
	for (unsigned i = 0; i < WRITERS; i++)
		os_thread_join(&writers[i]);
	ck_assert_int_eq(writer_close(writer), SINK_BROKEN);
	ck_assert_uint_eq(memory->calls_after_failure, 0);
	ck_assert_uint_eq(memory->closed, 1);
}
END_TEST

static void write_much_and_flush(void *arg)
{
	write_records(arg);
	writer_flush(writer);
}

START_TEST(a_stream_delays_no_thread_and_is_not_interrupted)
{
	static const char piece[] = "a piece of the stream\n";
	struct os_thread_handle other;

	memory = memory_sink_reset();
	writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	writer_stream_begin(writer);
	size_t begun = memory->appended;
	for (unsigned i = 0; i < 2; i++) {
		writer_stream_write(writer, piece, strlen(piece));
		ck_assert_int_eq(
		        os_thread_start(&other, write_much_and_flush, (void *)(uintptr_t)i), 0);
		os_thread_join(&other);
	}
	ck_assert_uint_eq(memory->appended - begun, 2 * strlen(piece));
	writer_stream_end(writer);
	memory->bytes[memory->appended] = '\0';
	const char *text = (const char *)memory->bytes + begun;
	ck_assert_ptr_nonnull(
	        strstr(text, "a piece of the stream\na piece of the stream\nTHREAD "));
	unsigned found = 0;
	for (; (text = strstr(text, "THREAD START")) != NULL; text++)
		found++;
	ck_assert_uint_eq(found, 2 * RECORDS);
	ck_assert_int_eq(writer_close(writer), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_threads");
	TCase *threads = tcase_create("threads");

	tcase_set_timeout(threads, 60);
	tcase_add_test(threads, text_records_of_several_threads_never_mix);
	tcase_add_test(threads, binary_records_of_several_threads_never_mix);
	tcase_add_test(threads, a_failure_among_several_threads_stops_all);
	tcase_add_test(threads, a_stream_delays_no_thread_and_is_not_interrupted);
	suite_add_tcase(suite, threads);
	return run_suite(suite);
}
