/* marks: timed, tsan */
/*
 * Tests of the sinks on files and sockets.
 */
#include "judged_times.h"
#include "run_suite.h"
#include "sink_socket_fixture.h"

#include <stdlib.h>
#include <string.h>

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

START_TEST(the_first_write_replaces_earlier_contents)
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

/* ---- sockets ---------------------------------------------------------- */

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

START_TEST(a_closed_peer_is_an_error)
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

START_TEST(a_peer_that_does_not_read_delays_no_writer_and_loses_nothing)
{
	enum { PIECES = 512 }; /* 32 MiB: much more than the system buffers */
	size_t length = 0;
	pthread_t reader;

	connect_sink(DEADLINE_MS, 0);
	ck_assert_int_eq(send_pieces(0, PIECES / 2), 0); /* without a reader */
	ck_assert_uint_gt(atomic_load(&net->waiting), MEMORY);
	/* The peer reads a part, pauses, and then reads the rest. */
	length = receive(0, PIECES / 4 * PIECE);
	ck_assert_int_eq(send_pieces(PIECES / 2, PIECES / 2), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, receive_all, &length), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(pthread_join(reader, NULL), 0);
	ck_assert_uint_eq(length, (size_t)PIECES * PIECE);
	let_go();
}
END_TEST

START_TEST(bytes_in_files_are_sent_before_later_ones_in_memory)
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

START_TEST(closing_gives_up_on_a_stalled_peer_and_counts_the_lost_bytes)
{
	enum { PIECES = 512 };

	connect_sink(300, 0);
	ck_assert_int_eq(send_pieces(0, PIECES), 0);
	uint64_t before_ns = os_monotonic_ns();
	ck_assert_int_eq(sink->ops->close(sink), OS_TIMED_OUT);
	uint64_t took_ns = os_monotonic_ns() - before_ns;
	CHECK_TIME(took_ns < UINT64_C(5000000000), "took %.3f s", (double)took_ns / 1e9);
	uint64_t lost = atomic_load(&net->undelivered);
	ck_assert_uint_gt(lost, 0);
	(void)receive(0, (size_t)PIECES * PIECE - lost);
	let_go();
}
END_TEST

START_TEST(unread_commands_do_not_cost_the_peer_its_last_bytes)
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

int main(void)
{
	Suite *suite = suite_create("output_sink");
	TCase *files = tcase_create("files");
	TCase *sockets = tcase_create("sockets");

	tcase_add_checked_fixture(files, make_file, remove_file);
	tcase_add_test(files, a_file_gets_what_is_written);
	tcase_add_test(files, the_first_write_replaces_earlier_contents);
	tcase_add_test(files, a_tail_is_replaced_and_removed);
	suite_add_tcase(suite, files);
	tcase_add_test(sockets, a_socket_gets_what_is_written_and_is_closed);
	tcase_add_test(sockets, a_closed_peer_is_an_error);
	tcase_set_timeout(sockets, 60);
	tcase_add_test(sockets, a_peer_that_does_not_read_delays_no_writer_and_loses_nothing);
	tcase_add_test(sockets, bytes_in_files_are_sent_before_later_ones_in_memory);
	tcase_add_test(sockets, closing_gives_up_on_a_stalled_peer_and_counts_the_lost_bytes);
	tcase_add_test(sockets, unread_commands_do_not_cost_the_peer_its_last_bytes);
	suite_add_tcase(suite, sockets);
	return run_suite(suite);
}
