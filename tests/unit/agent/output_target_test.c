/* marks: posix */
/*
 * Tests of opening what file= and net= name.
 */
#include "agent/agent.h"
#include "agent/output_target.h"
#include "run_suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Sat Nov 21 02:55:43 2026, in UTC */
#define WALL_MS INT64_C(1795229743123)

static struct settings settings;
static char name[AGENT_OUTPUT_NAME_MAX];

static void use_utc(void)
{
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	memset(&settings, 0, sizeof(settings));
}

static char directory[256];
static char error[AGENT_OUTPUT_NAME_MAX + 256];
static struct net_link *net; /* what a connection is, or NULL */

static void make_directory(void)
{
	const char *parent = getenv("TMPDIR");

	use_utc();
	snprintf(directory, sizeof(directory), "%s/hprof-name-XXXXXX", parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	error[0] = '\0';
}

/* With the files that a test leaves there. */
static void remove_directory(void)
{
	static const char *const names[] = {"p",   "p.1",  "p.2",           "p.3",
	                                    "p.4", "p.gz", "java.hprof.txt"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlink(names[i]);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(directory), 0);
}

static struct sink *open_target(const char *file)
{
	memset(name, '#', sizeof(name));
	strcpy(settings.file, file);
	return output_target_open(&settings, name, sizeof(name), &net, error, sizeof(error));
}

static void write_and_close(struct sink *sink, const char *text)
{
	ck_assert_msg(sink != NULL, "%s", error);
	ck_assert_int_eq(sink->ops->write(sink, text, strlen(text)), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
}

static void expect_file(const char *file, const char *text)
{
	char bytes[64];
	FILE *stream = fopen(file, "r");

	ck_assert_msg(stream != NULL, "no file %s", file);
	size_t length = fread(bytes, 1, sizeof(bytes) - 1, stream);
	bytes[length] = '\0';
	fclose(stream);
	ck_assert_str_eq(bytes, text);
}

static void expect_no_file(const char *file)
{
	struct stat status;
	ck_assert_msg(lstat(file, &status) != 0, "there is a file %s", file);
}

static void expect_error(const char *words)
{
	ck_assert_msg(strstr(error, words) != NULL, "no '%s' in: %s", words, error);
	ck_assert_msg(strpbrk(error, "\n\r\x1b") == NULL, "control characters in: %s", error);
}

START_TEST(the_time_in_a_name_is_local)
{
	ck_assert_int_eq(setenv("TZ", "XYZ-05:30", 1), 0);
	tzset();
	strcpy(settings.file, "%t");
	ck_assert(output_target_file_name(&settings, 4711, WALL_MS, name, sizeof(name)));
	ck_assert_str_eq(name, "20261121-082543");
}
END_TEST

START_TEST(with_force_the_file_is_replaced)
{
	settings.force = true;
	write_and_close(open_target("p"), "a longer text");
	write_and_close(open_target("p"), "new");
	ck_assert_str_eq(name, "p");
	expect_file("p", "new");
	expect_no_file("p.1");
}
END_TEST

START_TEST(without_force_the_first_free_number_is_taken)
{
	write_and_close(open_target("p"), "zero");
	ck_assert_str_eq(name, "p");
	write_and_close(open_target("p"), "one");
	ck_assert_str_eq(name, "p.1");
	write_and_close(open_target("p"), "two");
	ck_assert_str_eq(name, "p.2");
	ck_assert_int_eq(unlink("p.1"), 0);
	write_and_close(open_target("p"), "one again");
	ck_assert_str_eq(name, "p.1");
	write_and_close(open_target("p"), "three");
	ck_assert_str_eq(name, "p.3");
	expect_file("p", "zero");
	expect_file("p.1", "one again");
	expect_file("p.2", "two");
	expect_file("p.3", "three");
}
END_TEST

START_TEST(without_force_a_link_to_nothing_counts_as_a_file)
{
	ck_assert_int_eq(symlink("p.4", "p"), 0);
	write_and_close(open_target("p"), "one");
	ck_assert_str_eq(name, "p.1");
	expect_no_file("p.4");
}
END_TEST

START_TEST(without_force_more_digits_follow)
{
	char file[64];
	FILE *stream = fopen("p", "w");

	ck_assert_ptr_nonnull(stream);
	fclose(stream);
	for (int i = 1; i < 12; i++) {
		snprintf(file, sizeof(file), "p.%d", i);
		ck_assert_int_eq(symlink("p", file), 0);
	}
	struct sink *sink = open_target("p");
	ck_assert_str_eq(name, "p.12");
	write_and_close(sink, "");
	for (int i = 1; i <= 12; i++) {
		snprintf(file, sizeof(file), "p.%d", i);
		unlink(file);
	}
}
END_TEST

START_TEST(without_a_name_the_default_is_opened)
{
	settings.force = true;
	write_and_close(open_target(""), "text");
	ck_assert_str_eq(name, "java.hprof.txt");
	expect_file("java.hprof.txt", "text");
}
END_TEST

START_TEST(only_the_user_may_read_the_file)
{
	struct stat status;

	write_and_close(open_target("p"), "text");
	ck_assert_int_eq(stat("p", &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
}
END_TEST

START_TEST(a_file_that_can_not_be_opened_is_reported_with_the_reason)
{
	for (int force = 0; force < 2; force++) {
		settings.force = force;
		ck_assert_ptr_null(open_target("no/such/directory"));
		expect_error("can't write no/such/directory: No such file or directory; write "
		             "file=NAME");
	}
	settings.force = true;
	ck_assert_ptr_null(open_target("."));
	expect_error("can't write .: ");
}
END_TEST

START_TEST(a_hostile_name_is_reported_in_one_printable_line)
{
	settings.force = true;
	ck_assert_ptr_null(open_target("no\n/such\x1b[2J/\xc3\xa4\xff"));
	expect_error("can't write no\\x0a/such\\x1b[2J/\xc3\xa4\\xff: No such file or directory; "
	             "write file=NAME");
}
END_TEST

START_TEST(a_long_name_leaves_room_for_the_reason)
{
	static char file[SETTING_FILE_MAX];

	settings.force = true;
	memset(file, 'f', sizeof(file) - 1);
	ck_assert_ptr_null(open_target(file));
	expect_error("fff...: File name too long; write file=NAME");
	ck_assert_uint_lt(strlen(error), 1500);
	memset(file, '\n', sizeof(file) - 1);
	ck_assert_ptr_null(open_target(file));
	expect_error("\\x0a...: File name too long; write file=NAME");
}
END_TEST

START_TEST(a_name_that_gets_too_long_is_reported)
{
	static char file[SETTING_FILE_MAX];

	for (size_t at = 0; at + 2 < sizeof(file); at += 2)
		memcpy(file + at, "%t", 3);
	ck_assert_ptr_null(open_target(file));
	expect_error("the name file=%t%t");
	expect_error("... is too long; write a shorter one");
}
END_TEST

START_TEST(a_name_without_room_for_a_number_is_refused)
{
	FILE *stream = fopen("p", "w");

	ck_assert_ptr_nonnull(stream);
	fclose(stream);
	strcpy(settings.file, "p");
	ck_assert_ptr_null(output_target_open(&settings, name, 3, &net, error, sizeof(error)));
	expect_error("can't write ");
	expect_error("File exists");
}
END_TEST

START_TEST(a_name_that_ends_in_gz_asks_for_compression)
{
	unsigned char head[2] = "";

	write_and_close(open_target("p.gz"), "hello");
	ck_assert_ptr_null(net);
	FILE *stream = fopen("p.gz", "rb");
	ck_assert_ptr_nonnull(stream);
	ck_assert_uint_eq(fread(head, 1, 2, stream), 2);
	fclose(stream);
	ck_assert_uint_eq(head[0], 0x1f);
	ck_assert_uint_eq(head[1], 0x8b);
}
END_TEST

/* ---- connecting ------------------------------------------------------- */

START_TEST(a_listener_is_connected_to)
{
	struct os_socket listener;
	struct os_socket peer;
	uint16_t port = 0;
	char bytes[16];
	size_t got = 0;

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	strcpy(settings.net_host, "127.0.0.1");
	settings.net_port = port;
	struct sink *sink =
	        output_target_open(&settings, name, sizeof(name), &net, error, sizeof(error));
	char expected[32];
	snprintf(expected, sizeof(expected), "127.0.0.1:%u", port);
	ck_assert_str_eq(name, expected);
	ck_assert_int_eq(os_socket_accept(&listener, 10000, &peer), 0);
	ck_assert_ptr_nonnull(net);
	write_and_close(sink, "hello");
	net_link_release(net);
	ck_assert_int_eq(os_socket_read(&peer, bytes, sizeof(bytes), 10000, &got), 0);
	ck_assert_uint_eq(got, 5);
	ck_assert_mem_eq(bytes, "hello", 5);
	os_socket_close(&peer);
	os_socket_close(&listener);
}
END_TEST

/* A port of this machine where nobody listens. */
static uint16_t closed_port(void)
{
	struct os_socket listener;
	uint16_t port = 0;

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	os_socket_close(&listener);
	return port;
}

START_TEST(a_refused_connection_is_reported_with_the_reason)
{
	char words[128];

	settings.net_port = closed_port();
	strcpy(settings.net_host, "127.0.0.1");
	ck_assert_ptr_null(
	        output_target_open(&settings, name, sizeof(name), &net, error, sizeof(error)));
	snprintf(
	        words, sizeof(words),
	        "can't connect to 127.0.0.1:%u: Connection refused; write net=", settings.net_port);
	expect_error(words);
}
END_TEST

START_TEST(an_ipv6_address_is_named_in_brackets)
{
	char words[128];

	settings.net_port = closed_port();
	strcpy(settings.net_host, "::1");
	ck_assert_ptr_null(
	        output_target_open(&settings, name, sizeof(name), &net, error, sizeof(error)));
	snprintf(words, sizeof(words), "can't connect to [::1]:%u: ", settings.net_port);
	expect_error(words);
}
END_TEST

START_TEST(a_hostile_host_is_reported_in_one_printable_line)
{
	strcpy(settings.net_host, "no\nsuch\x1bhost");
	settings.net_port = 1;
	ck_assert_ptr_null(
	        output_target_open(&settings, name, sizeof(name), &net, error, sizeof(error)));
	expect_error("can't connect to no\\x0asuch\\x1bhost:1: ");
}
END_TEST

static TCase *file_tests(void)
{
	TCase *files = tcase_create("file");

	tcase_add_checked_fixture(files, make_directory, remove_directory);
	tcase_add_test(files, the_time_in_a_name_is_local);
	tcase_add_test(files, with_force_the_file_is_replaced);
	tcase_add_test(files, without_force_the_first_free_number_is_taken);
	tcase_add_test(files, without_force_a_link_to_nothing_counts_as_a_file);
	tcase_add_test(files, without_force_more_digits_follow);
	tcase_add_test(files, without_a_name_the_default_is_opened);
	tcase_add_test(files, only_the_user_may_read_the_file);
	tcase_add_test(files, a_file_that_can_not_be_opened_is_reported_with_the_reason);
	tcase_add_test(files, a_hostile_name_is_reported_in_one_printable_line);
	tcase_add_test(files, a_long_name_leaves_room_for_the_reason);
	tcase_add_test(files, a_name_that_gets_too_long_is_reported);
	tcase_add_test(files, a_name_without_room_for_a_number_is_refused);
	tcase_add_test(files, a_name_that_ends_in_gz_asks_for_compression);
	return files;
}

static TCase *connection_tests(void)
{
	TCase *connections = tcase_create("connection");

	tcase_set_timeout(connections, 60);
	tcase_add_checked_fixture(connections, use_utc, NULL);
	tcase_add_test(connections, a_listener_is_connected_to);
	tcase_add_test(connections, a_refused_connection_is_reported_with_the_reason);
	tcase_add_test(connections, an_ipv6_address_is_named_in_brackets);
	tcase_add_test(connections, a_hostile_host_is_reported_in_one_printable_line);
	return connections;
}

int main(void)
{
	Suite *suite = suite_create("output_target");

	suite_add_tcase(suite, file_tests());
	suite_add_tcase(suite, connection_tests());
	return run_suite(suite);
}
