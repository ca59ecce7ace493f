/*
 * Tests of the sinks on real files, devices, pipes and sockets.
 */
#include "output/sink.h"
#include "run_suite.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
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

START_TEST(what_the_file_held_goes_at_the_first_write)
{
	struct os_file file;
	ck_assert_int_eq(append("an older profile"), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(os_file_create(path, OS_FILE_KEEP, &file), 0);
	sink = sink_file_create(&file);
	ck_assert_ptr_nonnull(sink);
	expect_file("an older profile");
	ck_assert_int_eq(append("new"), 0);
	expect_file("new");
	ck_assert_int_eq(sink->ops->close(sink), 0);
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

enum { PIECE = 64 * 1024, MEMORY = 256 * 1024 };

static struct os_socket peer;
static struct net_link *net;

static void connect_sink(uint32_t stall_ms, uint32_t linger_ms)
{
	struct os_socket listener;
	struct os_socket socket;
	uint16_t port = 0;
	const struct sink_socket_limits limits = {
	        .memory_bytes = MEMORY,
	        .stall_ms = stall_ms,
	        .deliver_ms = 20000,
	        .bytes_per_second = 1024 * 1024,
	        .linger_ms = linger_ms,
	};

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_int_eq(os_socket_connect("localhost", port, DEADLINE_MS, &socket), 0);
	ck_assert_int_eq(os_socket_accept(&listener, DEADLINE_MS, &peer), 0);
	os_socket_close(&listener);
	net = net_link_create(&socket);
	ck_assert_ptr_nonnull(net);
	sink = sink_socket_create(net, &limits);
	ck_assert_ptr_nonnull(sink);
}

static void let_go(void)
{
	net_link_release(net);
	os_socket_close(&peer);
}

/* Byte number at of what the tests send much of. */
static uint8_t byte_at(size_t at)
{
	return (uint8_t)(at ^ at >> 8 ^ at >> 16);
}

static int send_pieces(size_t first, size_t count)
{
	static uint8_t bytes[PIECE];
	int error = 0;

	for (size_t i = first; i < first + count && error == 0; i++) {
		for (size_t at = 0; at < PIECE; at++)
			bytes[at] = byte_at(i * PIECE + at);
		error = sink->ops->write(sink, bytes, PIECE);
	}
	return error;
}

/* Reads on from byte number at, up to the number to; returns where it is then. */
static size_t receive(size_t at, size_t to)
{
	static uint8_t bytes[PIECE];
	size_t got;

	while (at < to) {
		size_t most = to - at < PIECE ? to - at : PIECE;
		ck_assert_int_eq(os_socket_read(&peer, bytes, most, DEADLINE_MS, &got), 0);
		size_t right = 0;
		while (right < got && bytes[right] == byte_at(at + right))
			right++;
		ck_assert_msg(right == got, "byte %zu is wrong", at + right);
		at += got;
	}
	return at;
}

/* On a thread of its own, where nothing may be asserted: *length stops growing at a
 * byte that is wrong. */
static void *receive_all(void *argument)
{
	size_t *length = argument;
	static uint8_t bytes[PIECE];
	bool right = true;
	size_t got;

	while (os_socket_read(&peer, bytes, PIECE, DEADLINE_MS, &got) == 0) {
		for (size_t i = 0; i < got; i++) {
			right = right && bytes[i] == byte_at(*length);
			*length += right;
		}
	}
	os_socket_close(&peer);
	return NULL;
}

START_TEST(a_socket_gets_what_is_written_and_is_closed)
{
	char bytes[16] = "";
	size_t got = 0;

	connect_sink(DEADLINE_MS, 0);
	ck_assert_ptr_null(sink->ops->set_tail);
	ck_assert_int_eq(append("over"), 0);
	ck_assert_int_eq(os_socket_read(&peer, bytes, sizeof(bytes) - 1, DEADLINE_MS, &got), 0);
	ck_assert_str_eq(bytes, "over");
	ck_assert_int_eq(append("and out"), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(os_socket_read(&peer, bytes, sizeof(bytes), DEADLINE_MS, &got), 0);
	ck_assert_uint_eq(got, 7);
	ck_assert_int_eq(os_socket_read(&peer, bytes, sizeof(bytes), DEADLINE_MS, &got), OS_CLOSED);
	ck_assert_uint_eq(atomic_load(&net->undelivered), 0);
	let_go();
}
END_TEST

START_TEST(a_peer_that_has_gone_is_an_error)
{
	int error = 0;

	connect_sink(DEADLINE_MS, 0);
	os_socket_close(&peer);
	for (int i = 0; i < 1000 && error == 0; i++) {
		error = append("into the void");
		usleep(10000);
	}
	ck_assert_int_ne(error, 0);
	ck_assert_int_eq(sink->ops->close(sink), error);
	let_go();
}
END_TEST

START_TEST(a_peer_that_does_not_read_holds_up_no_writer_and_loses_nothing)
{
	enum { PIECES = 512 }; /* 32 MiB: much more than the system keeps */
	size_t length = 0;
	pthread_t reader;

	connect_sink(DEADLINE_MS, 0);
	ck_assert_int_eq(send_pieces(0, PIECES / 2), 0); /* nobody reads meanwhile */
	ck_assert_uint_gt(atomic_load(&net->waiting), MEMORY);
	/* It reads a part, falls asleep again, and reads all in the end. */
	length = receive(0, PIECES / 4 * PIECE);
	ck_assert_int_eq(send_pieces(PIECES / 2, PIECES / 2), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, receive_all, &length), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(pthread_join(reader, NULL), 0);
	ck_assert_uint_eq(length, (size_t)PIECES * PIECE);
	let_go();
}
END_TEST

START_TEST(bytes_that_waited_in_files_stay_before_those_in_memory)
{
	size_t at = 0;

	connect_sink(DEADLINE_MS, 0);
	for (size_t round = 0; round < 40; round++) {
		ck_assert_int_eq(send_pieces(round * 10, 10), 0);
		at = receive(at, round * 10 * PIECE);
	}
	at = receive(at, 400 * (size_t)PIECE);
	ck_assert_uint_eq(at, 400 * (size_t)PIECE);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	let_go();
}
END_TEST

START_TEST(closing_gives_up_on_a_peer_that_takes_nothing_and_counts_what_it_lost)
{
	enum { PIECES = 512 };

	connect_sink(300, 0);
	ck_assert_int_eq(send_pieces(0, PIECES), 0);
	uint64_t before_ns = os_monotonic_ns();
	ck_assert_int_eq(sink->ops->close(sink), OS_TIMED_OUT);
	ck_assert_uint_lt(os_monotonic_ns() - before_ns, UINT64_C(5000000000));
	uint64_t lost = atomic_load(&net->undelivered);
	ck_assert_uint_gt(lost, 0);
	(void)receive(0, (size_t)PIECES * PIECE - lost);
	let_go();
}
END_TEST

START_TEST(commands_that_nobody_read_do_not_cost_the_peer_its_last_bytes)
{
	size_t length = 0;
	pthread_t reader;

	connect_sink(DEADLINE_MS, 2000);
	ck_assert_int_eq(os_socket_write(&peer, "commands", 8, DEADLINE_MS), 0);
	ck_assert_int_eq(send_pieces(0, 64), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, receive_all, &length), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	net_link_release(net);
	ck_assert_int_eq(pthread_join(reader, NULL), 0);
	ck_assert_uint_eq(length, 64 * (size_t)PIECE);
}
END_TEST

START_TEST(no_room_for_what_waits_is_an_error_and_the_rest_is_delivered)
{
	size_t length = 0;
	pthread_t reader;
	int error = 0;
	size_t pieces = 0;

	connect_sink(DEADLINE_MS, 0);
	limit_file_size(1024 * 1024);
	while (error == 0) {
		error = send_pieces(pieces, 1);
		pieces += error == 0;
	}
	ck_assert_int_eq(error, EFBIG);
	ck_assert_int_eq(pthread_create(&reader, NULL, receive_all, &length), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(pthread_join(reader, NULL), 0);
	ck_assert_uint_eq(length, pieces * PIECE);
	let_go();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output_sink");
	TCase *files = tcase_create("files");
	TCase *sockets = tcase_create("sockets");

	tcase_add_checked_fixture(files, make_file, remove_file);
	tcase_add_test(files, a_file_gets_what_is_written);
	tcase_add_test(files, what_the_file_held_goes_at_the_first_write);
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
	tcase_set_timeout(sockets, 60);
	tcase_add_test(sockets, a_peer_that_does_not_read_holds_up_no_writer_and_loses_nothing);
	tcase_add_test(sockets, bytes_that_waited_in_files_stay_before_those_in_memory);
	tcase_add_test(sockets,
	               closing_gives_up_on_a_peer_that_takes_nothing_and_counts_what_it_lost);
	tcase_add_test(sockets, commands_that_nobody_read_do_not_cost_the_peer_its_last_bytes);
	tcase_add_test(sockets, no_room_for_what_waits_is_an_error_and_the_rest_is_delivered);
	suite_add_tcase(suite, sockets);
	return run_suite(suite);
}
