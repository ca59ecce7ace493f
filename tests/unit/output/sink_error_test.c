/* marks: tsan, posix */
/*
 * Tests of sinks on files that can't grow, on devices and on pipes.
 */
#include "descriptor.h"
#include "run_suite.h"
#include "sink_socket_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

/* Makes writes past this length fail, as on a full disk. */
static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void remove_limited_file(void)
{
	limit_file_size(RLIM_INFINITY);
	remove_file();
}

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

START_TEST(a_tail_without_room_is_left_out_completely)
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

/* ---- groups ------------------------------------------------------------ */

static void make_file_with_tail(void)
{
	make_file();
	ck_assert_int_eq(append("one "), 0);
	ck_assert_int_eq(set_tail("[tail]"), 0);
}

static void close_file_with_tail(void)
{
	ck_assert_int_eq(sink->ops->close(sink), 0);
	remove_limited_file();
}

/* Sections of a dump of which the last has no room: the tail from before is the newer summary. */
START_TEST(a_failed_write_removes_its_group_and_leaves_the_tail_from_before)
{
	limit_file_size(16);
	begin_group();
	ck_assert_int_eq(append("section "), 0);
	ck_assert_int_eq(append("another section"), EFBIG);
	expect_file("one [tail]");
	end_group(false);
	expect_file("one [tail]");
}
END_TEST

/* A heap dump is worth more than the summary after it. The tail from before would repeat what
 * precedes it. */
START_TEST(a_failed_write_leaves_an_inner_group_that_is_kept_without_the_tail_from_before)
{
	limit_file_size(28);
	begin_group();
	ck_assert_int_eq(append("section "), 0);
	begin_group();
	ck_assert_int_eq(append("heap "), 0);
	ck_assert_int_eq(append("dump "), 0);
	end_group(true);
	ck_assert_int_eq(append("more "), 0);
	ck_assert_int_eq(append("another section"), EFBIG);
	expect_file("one section heap dump ");
	end_group(false);
	expect_file("one section heap dump ");
}
END_TEST

START_TEST(a_failed_write_in_an_inner_group_removes_both)
{
	limit_file_size(20);
	begin_group();
	ck_assert_int_eq(append("section "), 0);
	begin_group();
	ck_assert_int_eq(append("heap "), 0);
	ck_assert_int_eq(append("dump "), EFBIG);
	end_group(false);
	expect_file("one [tail]");
	end_group(false);
	expect_file("one [tail]");
}
END_TEST

/* Of the agent itself: it can't make the rest of a dump. */
START_TEST(a_group_that_is_not_kept_is_removed_alone)
{
	begin_group();
	ck_assert_int_eq(append("section "), 0);
	begin_group();
	ck_assert_int_eq(append("heap "), 0);
	end_group(false);
	ck_assert_int_eq(append("more "), 0);
	expect_file("one section more ");
	end_group(false);
	expect_file("one [tail]");
	ck_assert_int_eq(append("two "), 0);
	expect_file("one two ");
}
END_TEST

/* The counts begin anew after a dump: the tail from before it would count twice. */
START_TEST(no_tail_from_before_a_group_returns_after_it)
{
	begin_group();
	ck_assert_int_eq(append("section "), 0);
	end_group(true);
	limit_file_size(16);
	ck_assert_int_eq(append("two "), 0);
	ck_assert_int_eq(append("three "), EFBIG);
	expect_file("one section two ");
}
END_TEST

/* ---- other files ------------------------------------------------------- */

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
	struct os_file file;

	sink->ops->close(sink);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(descriptor_to_file(ends[1], &file), 0);
	file.shared = false;
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

START_TEST(no_room_for_waiting_bytes_is_an_error_and_the_rest_is_delivered)
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
	Suite *suite = suite_create("output_sink_error");
	TCase *faults = tcase_create("faults");

	tcase_add_checked_fixture(faults, make_file, remove_limited_file);
	tcase_add_test(faults, a_failed_write_leaves_the_file_as_it_was);
	tcase_add_test(faults, a_failed_write_leaves_no_part_of_it);
	tcase_add_test(faults, a_failed_tail_leaves_the_one_before);
	tcase_add_test(faults, a_tail_without_room_is_left_out_completely);
	tcase_add_test(faults, a_full_device_is_an_error);
	tcase_add_test(faults, a_pipe_takes_bytes_but_no_tail);
	suite_add_tcase(suite, faults);
	TCase *groups = tcase_create("groups");
	tcase_add_checked_fixture(groups, make_file_with_tail, close_file_with_tail);
	tcase_add_test(groups, a_failed_write_removes_its_group_and_leaves_the_tail_from_before);
	tcase_add_test(
	        groups,
	        a_failed_write_leaves_an_inner_group_that_is_kept_without_the_tail_from_before);
	tcase_add_test(groups, a_failed_write_in_an_inner_group_removes_both);
	tcase_add_test(groups, a_group_that_is_not_kept_is_removed_alone);
	tcase_add_test(groups, no_tail_from_before_a_group_returns_after_it);
	suite_add_tcase(suite, groups);
	TCase *sockets = tcase_create("sockets");
	tcase_set_timeout(sockets, 60);
	tcase_add_test(sockets, no_room_for_waiting_bytes_is_an_error_and_the_rest_is_delivered);
	suite_add_tcase(suite, sockets);
	return run_suite(suite);
}
