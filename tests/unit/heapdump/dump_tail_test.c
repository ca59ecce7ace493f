/* marks: tsan */
/*
 * Tests of reading a heap dump while it is being written: the reader waits for the file and for
 * its end, and what it has read can be merged.
 */
#include "dump_merge_fixture.h"
#include "heapdump/dump_tail.h"
#include "run_suite.h"

#include <stdio.h>

enum { PATH_SIZE = 512, PAUSE_MS = 20 };

static char directory[PATH_SIZE];
static char path[PATH_SIZE + 8];
static struct os_file dumped;
static struct dump_merge tailed;
static struct dump_merger *merger;
static struct dump_tail tail;

static void begin(void)
{
	set_up();
	ck_assert_int_eq(os_private_directory(NULL, directory, sizeof(directory)), 0);
	(void)snprintf(path, sizeof(path), "%s/heap", directory);
	memory = memory_sink_reset();
	writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	header = memory->length;
	tailed = (struct dump_merge){.ops = &ops,
	                             .model = &model,
	                             .writer = writer,
	                             .addresses = true,
	                             .lines = true,
	                             .wall_ms = CREATED_WALL_MS};
	merger = dump_merge_begin(&tailed);
	ck_assert_ptr_nonnull(merger);
}

static void end(void)
{
	dump_merge_end(merger);
	ck_assert_int_eq(writer_close(writer), 0);
	(void)os_file_remove(path);
	ck_assert_int_eq(os_directory_remove(directory), 0);
	tear_down();
}

static void wait_a_little(void)
{
	struct os_event event;
	ck_assert_int_eq(os_event_init(&event), 0);
	(void)os_event_wait(&event, PAUSE_MS);
	os_event_destroy(&event);
}

static void create_file(void)
{
	ck_assert_int_eq(os_file_create(path, OS_FILE_EXCLUSIVE, &dumped), 0);
}

/* Appends bytes of the dump, and leaves the reader time to reach their end. */
static void append(size_t from, size_t to)
{
	ck_assert_int_eq(os_file_write(&dumped, bytes.bytes + from, to - from), 0);
	wait_a_little();
}

static void expect_merged(struct os_file *read)
{
	ck_assert_int_eq(dump_merge_write(merger, read, 1), 0);
	ck_assert_uint_eq(tailed.object_count, 5);
	ck_assert_int_eq(os_file_close(read), 0);
}

START_TEST(a_dump_is_read_while_it_is_written)
{
	struct os_file read;

	dump_tail_begin(&tail, merger, path);
	wait_a_little();
	create_file();
	append(0, 10);
	append(10, bytes.length / 2);
	append(bytes.length / 2, bytes.length);
	ck_assert_int_eq(os_file_close(&dumped), 0);
	ck_assert(dump_tail_end(&tail, &read));
	expect_merged(&read);
}
END_TEST

/* The reader must look once more after the dumper has finished. */
START_TEST(what_is_written_last_is_read_too)
{
	struct os_file read;

	create_file();
	dump_tail_begin(&tail, merger, path);
	append(0, bytes.length / 2);
	ck_assert_int_eq(os_file_write(&dumped, bytes.bytes + bytes.length / 2,
	                               bytes.length - bytes.length / 2),
	                 0);
	ck_assert(dump_tail_end(&tail, &read));
	ck_assert_int_eq(os_file_close(&dumped), 0);
	expect_merged(&read);
}
END_TEST

START_TEST(a_dump_that_never_comes_is_not_read)
{
	struct os_file read;

	dump_tail_begin(&tail, merger, path);
	wait_a_little();
	ck_assert(!dump_tail_end(&tail, &read));
}
END_TEST

START_TEST(a_truncated_dump_is_not_read)
{
	struct os_file read;

	create_file();
	dump_tail_begin(&tail, merger, path);
	append(0, bytes.length - 1);
	ck_assert_int_eq(os_file_close(&dumped), 0);
	ck_assert(!dump_tail_end(&tail, &read));
}
END_TEST

START_TEST(nothing_is_read_without_a_merger)
{
	struct os_file read;

	create_file();
	append(0, bytes.length);
	ck_assert_int_eq(os_file_close(&dumped), 0);
	dump_tail_begin(&tail, NULL, path);
	ck_assert(!dump_tail_end(&tail, &read));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dump_tail");
	TCase *tests = tcase_create("tail");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, a_dump_is_read_while_it_is_written);
	tcase_add_test(tests, what_is_written_last_is_read_too);
	tcase_add_test(tests, a_dump_that_never_comes_is_not_read);
	tcase_add_test(tests, a_truncated_dump_is_not_read);
	tcase_add_test(tests, nothing_is_read_without_a_merger);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
