/*
 * Tests of the sinks on real files, devices, pipes and sockets.
 */
#include "output/sink.h"
#include "run_suite.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEADLINE_MS 10000u

static char folder[256];
static char path[300];
static struct sink *sink;

static struct sink *open_sink(const char *name)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(name, OS_FILE_OVERWRITE, &file), 0);
	struct sink *created = sink_file_create(&file);
	ck_assert_ptr_nonnull(created);
	return created;
}

static void make_file(void)
{
	const char *parent = getenv("TMPDIR");
	snprintf(folder, sizeof(folder), "%s/hprof-sink-XXXXXX", parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/profile", folder);
	sink = open_sink(path);
}

/* Makes writes past this length fail, as on a full disk. */
static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void remove_file(void)
{
	limit_file_size(RLIM_INFINITY);
	unlink(path);
	rmdir(folder);
}

static int append(const char *text)
{
	return sink->ops->write(sink, text, strlen(text));
}

static int set_tail(const char *text)
{
	return sink->ops->set_tail(sink, text, strlen(text));
}

static void expect_file(const char *text)
{
	char bytes[4096];
	FILE *file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	size_t length = fread(bytes, 1, sizeof(bytes) - 1, file);
	fclose(file);
	bytes[length] = '\0';
	ck_assert_str_eq(bytes, text);
}

/* ---- files ------------------------------------------------------------ */

START_TEST(a_file_gets_what_is_written)
{
	ck_assert_int_eq(append("one "), 0);
	ck_assert_int_eq(append("two"), 0);
	expect_file("one two");
	ck_assert_int_eq(sink->ops->close(sink), 0);
	expect_file("one two");
}
END_TEST

START_TEST(a_tail_is_replaced_and_removed)
{
	ck_assert_int_eq(set_tail("[first]"), 0);
	expect_file("[first]");
	ck_assert_int_eq(append("one "), 0);
	expect_file("one ");
	ck_assert_int_eq(set_tail("[a long tail]"), 0);
	expect_file("one [a long tail]");
	ck_assert_int_eq(set_tail("[tail]"), 0);
	expect_file("one [tail]");
	ck_assert_int_eq(append("two "), 0);
	expect_file("one two ");
	ck_assert_int_eq(set_tail("[last]"), 0);
	ck_assert_int_eq(sink->ops->set_tail(sink, NULL, 0), 0);
	expect_file("one two ");
	ck_assert_int_eq(set_tail("[end]"), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	expect_file("one two [end]");
}
END_TEST

START_TEST(a_failed_write_leaves_the_file_as_it_was)
{
	ck_assert_int_eq(append("one "), 0);
	ck_assert_int_eq(set_tail("[tail]"), 0);
	limit_file_size(12);
	ck_assert_int_eq(append("more than there is room for"), EFBIG);
	expect_file("one [tail]");
	ck_assert_int_eq(sink->ops->close(sink), 0);
}
END_TEST

START_TEST(a_failed_write_leaves_no_part_of_it)
{
	ck_assert_int_eq(append("one "), 0);
	limit_file_size(12);
	ck_assert_int_eq(append("more than there is room for"), EFBIG);
	expect_file("one ");
	ck_assert_int_eq(sink->ops->close(sink), 0);
}
END_TEST

START_TEST(a_failed_tail_leaves_the_one_before)
{
	ck_assert_int_eq(append("one "), 0);
	ck_assert_int_eq(set_tail("[tail]"), 0);
	limit_file_size(16);
	ck_assert_int_eq(append("two "), 0);
	expect_file("one two ");
	ck_assert_int_eq(set_tail("[a longer tail]"), EFBIG);
	expect_file("one two [tail]");
	ck_assert_int_eq(sink->ops->close(sink), 0);
}
END_TEST

START_TEST(a_tail_that_has_no_room_any_more_is_left_out_whole)
{
	ck_assert_int_eq(append("one "), 0);
	ck_assert_int_eq(set_tail("[tail]"), 0);
	limit_file_size(12);
	ck_assert_int_eq(append("two "), 0);
	ck_assert_int_eq(set_tail("[a longer tail]"), EFBIG);
	expect_file("one two ");
	ck_assert_int_eq(sink->ops->close(sink), 0);
}
END_TEST

START_TEST(a_full_device_is_an_error)
{
	sink->ops->close(sink);
	sink = open_sink("/dev/full");
	ck_assert_ptr_null(sink->ops->set_tail);
	ck_assert_int_eq(append("x"), ENOSPC);
	ck_assert_int_eq(append("x"), ENOSPC);
	ck_assert_int_eq(sink->ops->close(sink), 0);
}
END_TEST

START_TEST(a_pipe_takes_bytes_but_no_tail)
{
	char bytes[16] = "";
	int ends[2];
	struct os_file file = {.shared = false};

	sink->ops->close(sink);
	ck_assert_int_eq(pipe(ends), 0);
	file.handle = ends[1];
	sink = sink_file_create(&file);
	ck_assert_ptr_nonnull(sink);
	ck_assert_ptr_null(sink->ops->set_tail);
	ck_assert_int_eq(append("through"), 0);
	ck_assert_int_eq(read(ends[0], bytes, sizeof(bytes) - 1), 7);
	ck_assert_str_eq(bytes, "through");
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(read(ends[0], bytes, sizeof(bytes)), 0); /* it is closed */
	close(ends[0]);
}
END_TEST

/* ---- sockets ---------------------------------------------------------- */

static struct os_socket peer;

static void connect_sink(uint32_t deadline_ms)
{
	struct os_socket listener;
	struct os_socket socket;
	uint16_t port = 0;

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_int_eq(os_socket_connect("localhost", port, DEADLINE_MS, &socket), 0);
	ck_assert_int_eq(os_socket_accept(&listener, DEADLINE_MS, &peer), 0);
	os_socket_close(&listener);
	sink = sink_socket_create(&socket, deadline_ms);
	ck_assert_ptr_nonnull(sink);
}

START_TEST(a_socket_gets_what_is_written_and_is_closed)
{
	char bytes[16] = "";
	size_t got = 0;

	connect_sink(DEADLINE_MS);
	ck_assert_ptr_null(sink->ops->set_tail);
	ck_assert_int_eq(append("over"), 0);
	ck_assert_int_eq(os_socket_read(&peer, bytes, sizeof(bytes) - 1, DEADLINE_MS, &got), 0);
	ck_assert_str_eq(bytes, "over");
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(os_socket_read(&peer, bytes, sizeof(bytes), DEADLINE_MS, &got), OS_CLOSED);
	os_socket_close(&peer);
}
END_TEST

START_TEST(a_peer_that_has_gone_is_an_error)
{
	int error = 0;

	connect_sink(DEADLINE_MS);
	os_socket_close(&peer);
	for (int i = 0; i < 1000 && error == 0; i++)
		error = append("into the void");
	ck_assert_int_ne(error, 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
}
END_TEST

START_TEST(a_peer_that_takes_nothing_is_an_error)
{
	const size_t size = (size_t)64 * 1024 * 1024;
	void *bytes = calloc(1, size);

	ck_assert_ptr_nonnull(bytes);
	connect_sink(200);
	ck_assert_int_eq(sink->ops->write(sink, bytes, size), OS_TIMED_OUT);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	os_socket_close(&peer);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output_sink");
	TCase *files = tcase_create("files");
	TCase *sockets = tcase_create("sockets");

	tcase_add_checked_fixture(files, make_file, remove_file);
	tcase_add_test(files, a_file_gets_what_is_written);
	tcase_add_test(files, a_tail_is_replaced_and_removed);
	tcase_add_test(files, a_failed_write_leaves_the_file_as_it_was);
	tcase_add_test(files, a_failed_write_leaves_no_part_of_it);
	tcase_add_test(files, a_failed_tail_leaves_the_one_before);
	tcase_add_test(files, a_tail_that_has_no_room_any_more_is_left_out_whole);
	tcase_add_test(files, a_full_device_is_an_error);
	tcase_add_test(files, a_pipe_takes_bytes_but_no_tail);
	suite_add_tcase(suite, files);
	tcase_add_test(sockets, a_socket_gets_what_is_written_and_is_closed);
	tcase_add_test(sockets, a_peer_that_has_gone_is_an_error);
	tcase_add_test(sockets, a_peer_that_takes_nothing_is_an_error);
	suite_add_tcase(suite, sockets);
	return run_suite(suite);
}
