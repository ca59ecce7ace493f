/* marks: timed, posix */
/*
 * Tests of sockets that have a name in this system: who may connect, who is at the other end,
 * and what becomes of a name that is there.
 */
#include "os_load_posix.h"
#include "run_suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define LONG_MS 20000
#define SHORT_MS 100
#define SOMEONE_ELSE 12345 /* a user that is not root and not us */

static char directory[64];
static char path[96];
static struct os_socket listener;
static struct os_socket client;
static struct os_socket server;

static void set_up(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/os_local_test.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/s", directory);
	listener.handle = client.handle = server.handle = -1;
}

static void tear_down(void)
{
	os_socket_close(&client);
	os_socket_close(&server);
	os_socket_close(&listener);
	(void)unlink(path);
	(void)rmdir(directory);
}

static void check_passes(struct os_socket *from, struct os_socket *to, const char *text)
{
	char got[64];
	size_t length = 0;
	ck_assert_int_eq(os_socket_write(from, text, strlen(text), LONG_MS), 0);
	ck_assert_int_eq(os_socket_read(to, got, sizeof(got), LONG_MS, &length), 0);
	ck_assert_uint_eq(length, strlen(text));
	ck_assert_mem_eq(got, text, length);
}

static void connect_pair(const char *name)
{
	ck_assert_int_eq(os_socket_listen_local(name, &listener), 0);
	ck_assert_int_eq(os_socket_connect_local(name, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &server), 0);
}

START_TEST(bytes_pass_both_ways_between_processes_of_one_user)
{
	size_t got;
	char byte;
	connect_pair(path);
	check_passes(&client, &server, "ping");
	check_passes(&server, &client, "pong");
	ck_assert_int_eq(os_socket_check_peer(&client), 0);
	ck_assert_int_eq(os_socket_check_peer(&server), 0);
	os_socket_close(&server);
	ck_assert_int_eq(os_socket_read(&client, &byte, 1, LONG_MS, &got), OS_CLOSED);
}
END_TEST

START_TEST(the_socket_is_for_its_owner_only)
{
	struct stat status;
	mode_t mask = umask(0);
	ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
	ck_assert_uint_eq(umask(mask), 0); /* as it was */
	ck_assert_int_eq(lstat(path, &status), 0);
	ck_assert(S_ISSOCK(status.st_mode));
	ck_assert_uint_eq(status.st_mode & 07777, 0600);
}
END_TEST

START_TEST(a_socket_that_nobody_listens_at_is_replaced)
{
	ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
	os_socket_close(&listener);
	ck_assert_int_eq(os_socket_connect_local(path, SHORT_MS, &client), ECONNREFUSED);
	ck_assert_int_eq(client.handle, -1);
	connect_pair(path);
	check_passes(&client, &server, "ping");
}
END_TEST

START_TEST(what_is_there_is_left_alone)
{
	struct os_socket second;
	struct stat status;
	ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
	ck_assert_int_eq(os_socket_listen_local(path, &second), EADDRINUSE);
	ck_assert_int_eq(os_socket_connect_local(path, LONG_MS, &client), 0);
	os_socket_close(&listener);
	(void)unlink(path);
	ck_assert_int_eq(symlink("/nowhere", path), 0);
	ck_assert_int_eq(os_socket_listen_local(path, &second), EADDRINUSE);
	ck_assert_int_eq(lstat(path, &status), 0);
	ck_assert(S_ISLNK(status.st_mode));
}
END_TEST

START_TEST(names_that_can_not_be)
{
	char name[512];
	memset(name, 'x', sizeof(name) - 1);
	name[0] = '/';
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(os_socket_connect_local(name, SHORT_MS, &client), ENAMETOOLONG);
	ck_assert_int_eq(os_socket_listen_local(name, &listener), ENAMETOOLONG);
	ck_assert_int_eq(os_socket_connect_local("", SHORT_MS, &client), ENAMETOOLONG);
	ck_assert_int_eq(os_socket_connect_local(path, SHORT_MS, &client), ENOENT);
	ck_assert_int_eq(os_socket_listen_local("/no/such/directory/s", &listener), ENOENT);
}
END_TEST

START_TEST(a_name_beside_the_file_system)
{
	char name[64];
	(void)snprintf(name, sizeof(name), "@os_local_test.%d", (int)getpid());
	int error = os_socket_listen_local(name, &listener);
	if (error == OS_UNSUPPORTED) {
		ck_assert_int_eq(os_socket_connect_local(name, LONG_MS, &client), error);
		return;
	}
	os_socket_close(&listener);
	connect_pair(name);
	check_passes(&client, &server, "ping");
	ck_assert_int_eq(os_socket_check_peer(&client), 0);
	ck_assert_int_ne(access(name, F_OK), 0);
}
END_TEST

START_TEST(a_listener_that_takes_none_is_waited_for)
{
	struct os_socket clients[64];
	int error = 0;
	int count = 0;
	ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
	while (error == 0 && count < 64)
		error = os_socket_connect_local(path, SHORT_MS, &clients[count++]);
	ck_assert_int_eq(error, OS_TIMED_OUT);
	while (count > 0)
		os_socket_close(&clients[--count]);
}
END_TEST

/* As another user, listens at path, or connects there, and waits for the end of the pipe. */
static pid_t be_another(bool listens, int ready, const int alive[2])
{
	char byte = 'r';
	pid_t child = fork();
	if (child != 0)
		return child;
	(void)close(alive[1]);
	if (setgid(SOMEONE_ELSE) != 0 || setuid(SOMEONE_ELSE) != 0)
		_exit(1);
	int error = listens ? os_socket_listen_local(path, &listener)
	                    : os_socket_connect_local(path, LONG_MS, &client);
	if (error != 0 || write(ready, &byte, 1) != 1)
		_exit(2);
	_exit(read(alive[0], &byte, 1) == 0 ? 0 : 3);
}

START_TEST(another_user_at_the_other_end_is_reported)
{
	int ready[2];
	int alive[2];
	int status = 0;
	char byte;
	if (geteuid() != 0) {
		(void)printf("skipped: only root can be two users\n");
		return;
	}
	ck_assert_int_eq(chown(directory, SOMEONE_ELSE, (gid_t)-1), 0);
	ck_assert_int_eq(pipe(ready), 0);
	ck_assert_int_eq(pipe(alive), 0);
	if (_i == 0) {
		ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
		ck_assert_int_eq(chmod(path, 0666), 0);
	}
	pid_t child = be_another(_i == 1, ready[1], alive);
	(void)close(alive[0]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	if (_i == 0)
		ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &client), 0);
	else
		ck_assert_int_eq(os_socket_connect_local(path, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_check_peer(&client), OS_NOT_OURS);
	(void)close(alive[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
}
END_TEST

static Suite *os_local_sockets_suite(void)
{
	Suite *suite = suite_create("os_local_sockets");
	TCase *tests = tcase_create("local");
	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, bytes_pass_both_ways_between_processes_of_one_user);
	tcase_add_test(tests, the_socket_is_for_its_owner_only);
	tcase_add_test(tests, a_socket_that_nobody_listens_at_is_replaced);
	tcase_add_test(tests, what_is_there_is_left_alone);
	tcase_add_test(tests, names_that_can_not_be);
	tcase_add_test(tests, a_name_beside_the_file_system);
	tcase_add_test(tests, a_listener_that_takes_none_is_waited_for);
	tcase_add_loop_test(tests, another_user_at_the_other_end_is_reported, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(os_local_sockets_suite());
}
