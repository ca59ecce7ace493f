/*
 * Tests that each allocation of the output may fail: the error is reported,
 * complete records stay, and no memory leaks. Linked so that malloc, calloc and realloc
 * call the functions here.
 */
#include "failing_allocation.h"
#include "run_suite.h"
#include "writer_fixture.h"

#include "base/byte_buffer.h"
#include "sampling/cost_table.h"

#include <stdlib.h>
#include <unistd.h>

/* The given allocation and all later ones fail. */
static void fail_from(unsigned allocation)
{
	fail_allocations(allocation, UINT32_MAX);
}

/* ---- the writer ------------------------------------------------------- */

#define ALL_BYTES (1024 * 1024)

static uint8_t all[ALL_BYTES];
static size_t all_length;
static struct memory_sink *memory;

/* Enough classes and names for the tables of the format to grow. */
static void write_classes(struct record_writer *writer)
{
	for (uint32_t i = 0; i < 10000; i++) {
		const struct string name = {.id = 100 + i, .length = 3, .text = "abc"};
		const struct class_record class = {
		        .serial = 100100 + i, .object_id = i, .name = &name};
		writer_class_load(writer, &class);
	}
}

static void write_all(struct record_writer *writer)
{
	writer_thread_start(writer, &thread_main);
	writer_trace(writer, &trace_work);
	writer_flush(writer);
	writer_trace(writer, &trace_locked);
	if (writer_tail_begin(writer)) {
		writer_cpu_samples(writer, &samples);
		writer_tail_end(writer);
	}
	write_classes(writer);
	writer_cpu_samples(writer, &samples);
	writer_class_unload(writer, &class_sample);
	writer_thread_end(writer, &thread_main);
}

/* Runs with allocations failing from the given one on; *failed is set if one
 * failed. Returns the error, BYTES_NO_MEMORY if there was no writer. */
static int run(const struct record_format *format, unsigned allocation, bool *failed)
{
	memory = memory_sink_reset();
	fail_from(allocation);
	struct record_writer *writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	if (!writer) {
		*failed = stop_failing();
		ck_assert_uint_eq(memory->calls, 0);
		ck_assert_uint_eq(memory->closed, 0);
		return BYTES_NO_MEMORY;
	}
	write_all(writer);
	int error = writer_close(writer);
	*failed = stop_failing();
	ck_assert_uint_eq(memory->closed, 1);
	return error;
}

/* Whole records of a binary profile, from at on. */
static bool ends_with_a_record(size_t at)
{
	while (at + 9 <= memory->appended) {
		const uint8_t *length = memory->bytes + at + 5;
		at += 9 + ((size_t)length[0] << 24 | (size_t)length[1] << 16 |
		           (size_t)length[2] << 8 | length[3]);
	}
	return at == memory->appended;
}

static void fail_every_allocation_in_turn(const struct record_format *format)
{
	unsigned allocation = 0;
	bool failed = false;

	ck_assert_int_eq(run(format, UINT32_MAX, &failed), 0);
	ck_assert(!failed);
	ck_assert_uint_le(memory->length, sizeof(all));
	all_length = memory->length;
	memcpy(all, memory->bytes, all_length);

	do {
		int error = run(format, ++allocation, &failed);
		ck_assert_int_eq(error, failed ? BYTES_NO_MEMORY : 0);
		ck_assert_uint_le(memory->appended, all_length);
		if (memory->appended == 0)
			continue;
		if (format == &record_format_binary) {
			ck_assert(ends_with_a_record(19 + 4 + 8));
		} else {
			ck_assert_mem_eq(memory->bytes, all, memory->appended);
			ck_assert_int_eq(memory->bytes[memory->appended - 1], '\n');
		}
	} while (failed);
	ck_assert_uint_eq(memory->length, all_length);
	ck_assert_uint_ge(allocation, format == &record_format_binary ? 8 : 4);
}

START_TEST(text_survives_each_failed_allocation)
{
	fail_every_allocation_in_turn(&record_format_text);
}
END_TEST

START_TEST(binary_survives_each_failed_allocation)
{
	fail_every_allocation_in_turn(&record_format_binary);
}
END_TEST

/* ---- tables and sinks ------------------------------------------------- */

START_TEST(costs_that_were_added_survive_a_failed_allocation)
{
	static struct trace traces[600];
	uint32_t added = 0;
	size_t count = 0;

	fail_from(1);
	struct cost_table *table = cost_table_create();
	stop_failing();
	ck_assert_ptr_null(table);

	table = cost_table_create();
	ck_assert_ptr_nonnull(table);
	fail_from(2); /* room for the first rows only */
	while (added < 600) {
		traces[added].serial = TRACE_SERIAL_EMPTY + added;
		if (!cost_table_add(table, &traces[added], 1))
			break;
		added++;
	}
	bool failed = stop_failing();
	ck_assert(failed);
	ck_assert_uint_gt(added, 0);
	ck_assert_uint_lt(added, 600);
	cost_table_rank(table, 0, &count);
	ck_assert_uint_eq(count, added);
	ck_assert_uint_eq(cost_table_total(table), added);
	cost_table_destroy(table);
}
END_TEST

START_TEST(without_memory_for_a_sink_the_file_stays_open)
{
	struct os_file file;

	ck_assert_int_eq(os_file_create("/dev/null", OS_FILE_OVERWRITE, &file), 0);
	fail_from(1);
	struct sink *file_sink = sink_file_create(&file);
	struct sink *gzip_sink = sink_gzip_create(NULL);
	stop_failing();
	ck_assert_ptr_null(file_sink);
	ck_assert_ptr_null(gzip_sink);
	ck_assert_int_eq(os_file_write(&file, "x", 1), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(without_memory_for_a_sink_the_connection_stays_open)
{
	enum { ALLOCATIONS = 3 }; /* itself, its ring, its thread */
	const struct sink_socket_limits limits = {.memory_bytes = 1000, .bytes_per_second = 1};
	const struct os_socket socket = {.handle = -1};

	fail_from(1);
	struct net_link *none = net_link_create(&socket);
	stop_failing();
	ck_assert_ptr_null(none);
	struct net_link *link = net_link_create(&socket);
	ck_assert_ptr_nonnull(link);
	for (unsigned first = 1; first <= ALLOCATIONS; first++) {
		fail_from(first);
		struct sink *sink = sink_socket_create(link, &limits);
		bool failed = stop_failing();
		ck_assert(failed);
		ck_assert_ptr_null(sink);
		ck_assert_uint_eq(atomic_load(&link->holders), 1);
	}
	struct sink *sink = sink_socket_create(link, &limits);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	net_link_release(link);
}
END_TEST

START_TEST(a_tail_needs_no_memory)
{
	char directory[] = "/tmp/hprof-oom-XXXXXX";
	char path[64];
	char bytes[32] = "";
	struct os_file file;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/profile", directory);
	ck_assert_int_eq(os_file_create(path, OS_FILE_EXCLUSIVE, &file), 0);
	struct sink *sink = sink_file_create(&file);
	ck_assert_ptr_nonnull(sink);
	fail_from(1);
	int first = sink->ops->set_tail(sink, "first", 5);
	int appended = sink->ops->write(sink, "text ", 5);
	int second = sink->ops->set_tail(sink, "second", 6);
	bool failed = stop_failing();
	ck_assert_int_eq(first, 0);
	ck_assert_int_eq(appended, 0);
	ck_assert_int_eq(second, 0);
	ck_assert(failed);
	ck_assert_int_eq(sink->ops->close(sink), 0);

	FILE *stream = fopen(path, "rb");
	ck_assert_ptr_nonnull(stream);
	ck_assert_uint_eq(fread(bytes, 1, sizeof(bytes), stream), 11);
	fclose(stream);
	unlink(path);
	rmdir(directory);
	ck_assert_mem_eq(bytes, "text second", 11);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writer_oom");
	TCase *oom = tcase_create("oom");

	tcase_set_timeout(oom, 60);
	tcase_add_test(oom, text_survives_each_failed_allocation);
	tcase_add_test(oom, binary_survives_each_failed_allocation);
	tcase_add_test(oom, costs_that_were_added_survive_a_failed_allocation);
	tcase_add_test(oom, without_memory_for_a_sink_the_file_stays_open);
	tcase_add_test(oom, without_memory_for_a_sink_the_connection_stays_open);
	tcase_add_test(oom, a_tail_needs_no_memory);
	suite_add_tcase(suite, oom);
	return run_suite(suite);
}
