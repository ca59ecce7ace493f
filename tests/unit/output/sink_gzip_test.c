/*
 * Tests of the compressing sink, over a real file and over a sink in memory that can
 * fail. zlib reads its output as gzip(1) would.
 */
#include "output/sink.h"
#include "run_suite.h"
#include "writer_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static struct memory_sink *memory;
static struct sink *sink;

static void make(void)
{
	memory = memory_sink_reset();
	sink = sink_gzip_create(&memory->sink);
	ck_assert_ptr_nonnull(sink);
}

static void end(void)
{
	if (sink != NULL)
		ck_assert_int_eq(sink->ops->close(sink), 0);
	sink = NULL;
	ck_assert_uint_eq(memory->closed, 1);
}

/* Decompresses all members; every byte must belong to a complete one. */
static size_t gunzip(const uint8_t *bytes, size_t length, uint8_t *to, size_t size)
{
	z_stream stream;
	size_t written = 0;

	memset(&stream, 0, sizeof(stream));
	ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	stream.next_in = (Bytef *)(uintptr_t)bytes;
	stream.avail_in = (uInt)length;
	while (stream.avail_in > 0) {
		stream.next_out = to + written;
		stream.avail_out = (uInt)(size - written);
		ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
		written = size - stream.avail_out;
		ck_assert_int_eq(inflateReset(&stream), Z_OK);
	}
	ck_assert_int_eq(inflateEnd(&stream), Z_OK);
	return written;
}

static void expect(const char *text)
{
	static uint8_t bytes[4096];
	size_t length = gunzip(memory->bytes, memory->length, bytes, sizeof(bytes));
	expect_text(bytes, length, text);
}

static int put(const char *text)
{
	return sink->ops->write(sink, text, strlen(text));
}

static int tail(const char *text)
{
	return sink->ops->set_tail(sink, text, strlen(text));
}

START_TEST(the_file_is_whole_after_each_write)
{
	ck_assert_int_eq(put("one "), 0);
	expect("one ");
	ck_assert_int_eq(put("two "), 0);
	expect("one two ");
	end();
	expect("one two ");
}
END_TEST

START_TEST(a_tail_is_replaced_and_removed)
{
	ck_assert_int_eq(put("one "), 0);
	ck_assert_int_eq(tail("[first]"), 0);
	expect("one [first]");
	ck_assert_int_eq(tail("[2]"), 0);
	expect("one [2]");
	ck_assert_int_eq(put("two "), 0);
	expect("one two ");
	ck_assert_int_eq(sink->ops->set_tail(sink, NULL, 0), 0);
	expect("one two ");
	ck_assert_int_eq(tail("[last]"), 0);
	end();
	expect("one two [last]");
}
END_TEST

START_TEST(compressible_and_incompressible_bytes_are_restored)
{
	enum { SIZE = 3 * 1024 * 1024 };
	uint8_t *bytes = calloc(2, SIZE);
	uint8_t *got = malloc(2 * (size_t)SIZE);
	uint32_t random = 1;

	ck_assert(bytes != NULL && got != NULL);
	for (size_t i = 0; i < SIZE; i++) {
		random = random * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(random >> 24);
	}
	ck_assert_int_eq(sink->ops->write(sink, bytes, 2 * (size_t)SIZE), 0);
	ck_assert_uint_lt(memory->length, SIZE + SIZE / 50);
	ck_assert_uint_eq(gunzip(memory->bytes, memory->length, got, 2 * (size_t)SIZE),
	                  2 * (size_t)SIZE);
	ck_assert_mem_eq(got, bytes, 2 * (size_t)SIZE);
	free(bytes);
	free(got);
	end();
}
END_TEST

START_TEST(an_error_of_the_inner_sink_is_returned)
{
	ck_assert_int_eq(put("one "), 0);
	memory->fail_at = 2;
	ck_assert_int_eq(put("two "), SINK_BROKEN);
	memory->fail_at = 1;
	ck_assert_int_eq(tail("[t]"), SINK_BROKEN);
	expect("one ");
	memory->close_error = SINK_BROKEN;
	ck_assert_int_eq(sink->ops->close(sink), SINK_BROKEN);
}
END_TEST

START_TEST(no_tails_over_a_sink_without_tails)
{
	static const struct sink_ops forward = {.write = memory_write, .close = memory_close};

	end();
	memory = memory_sink_reset();
	memory->sink.ops = &forward;
	sink = sink_gzip_create(&memory->sink);
	ck_assert_ptr_nonnull(sink);
	ck_assert_ptr_null(sink->ops->set_tail);
	ck_assert_int_eq(put("x"), 0);
	expect("x");
	end();
}
END_TEST

START_TEST(a_regular_file_is_cut_back_to_the_last_member)
{
	char path[] = "/tmp/hprof-gzip-XXXXXX";
	char text[64] = "";
	struct os_file file;

	end();
	close(mkstemp(path));
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), 0);
	sink = sink_gzip_create(sink_file_create(&file));
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(put("one "), 0);
	ck_assert_int_eq(tail("[a tail that is longer than the rest]"), 0);
	ck_assert_int_eq(put("two "), 0);
	ck_assert_int_eq(tail("[tail]"), 0);

	gzFile reader = gzopen(path, "rb");
	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(gzread(reader, text, sizeof(text) - 1), 14);
	ck_assert_str_eq(text, "one two [tail]");
	ck_assert_int_eq(gzclose(reader), Z_OK);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output_gzip");
	TCase *tests = tcase_create("gzip");

	tcase_add_checked_fixture(tests, make, NULL);
	tcase_add_test(tests, the_file_is_whole_after_each_write);
	tcase_add_test(tests, a_tail_is_replaced_and_removed);
	tcase_add_test(tests, compressible_and_incompressible_bytes_are_restored);
	tcase_add_test(tests, an_error_of_the_inner_sink_is_returned);
	tcase_add_test(tests, no_tails_over_a_sink_without_tails);
	tcase_add_test(tests, a_regular_file_is_cut_back_to_the_last_member);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
