/* marks: timed, posix */
/*
 * Tests of files and sockets whose descriptor the program has closed: nothing is done to what has
 * its number now.
 */
#include "descriptor.h"
#include "os.h"
#include "run_suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONG_MS 20000
#define SHORT_MS 100

static const char theirs[] = "the program's bytes";

static char directory[64];
static char path[96];
static char their_path[96];

static void set_up(void)
{
	(void)strcpy(directory, "/tmp/hprof-descriptor-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/profile", directory);
	(void)snprintf(their_path, sizeof(their_path), "%s/theirs", directory);
}

static void tear_down(void)
{
	(void)unlink(path);
	(void)unlink(their_path);
	ck_assert_int_eq(rmdir(directory), 0);
}

static int open_theirs(void)
{
	int fd = open(their_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, theirs, sizeof(theirs)), sizeof(theirs));
	return fd;
}

/* What a program does that closes all descriptors and then opens its files. */
static void take(intptr_t handle, int fd)
{
	ck_assert_int_eq(dup2(fd, (int)handle), handle);
	ck_assert_int_eq(close(fd), 0);
}

static void take_by_file(intptr_t handle)
{
	take(handle, open_theirs());
}

/* The file with that number is open, whole, and where the program left its position. */
static void check_theirs_is_untouched(intptr_t handle)
{
	char bytes[sizeof(theirs) + 1];
	int fd = (int)handle;

	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), sizeof(theirs));
	ck_assert_int_eq(pread(fd, bytes, sizeof(bytes), 0), sizeof(theirs));
	ck_assert_mem_eq(bytes, theirs, sizeof(theirs));
	ck_assert_int_eq(close(fd), 0);
}

START_TEST(file_that_is_ours_is_used)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "abc", 3), 0);
	/* What the file is called, and who else has it open, has no influence. */
	ck_assert_int_eq(rename(path, their_path), 0);
	int other = open(their_path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(os_file_write(&file, "d", 1), 0);
	ck_assert_int_eq(os_file_truncate(&file, 2), 0);
	ck_assert_int_eq(unlink(their_path), 0);
	ck_assert_int_eq(os_file_write(&file, "e", 1), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
	char bytes[8];
	ck_assert_int_eq(read(other, bytes, sizeof(bytes)), 3);
	ck_assert_mem_eq(bytes, "abe", 3);
	close(other);
}
END_TEST

START_TEST(closed_file_is_lost)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(close((int)file.handle), 0);
	ck_assert_int_eq(os_file_write(&file, "x", 1), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_truncate(&file, 0), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_close(&file), OS_DESCRIPTOR_LOST);
}
END_TEST

START_TEST(file_of_the_program_is_neither_written_nor_cut_nor_closed)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), 0);
	intptr_t handle = file.handle;
	take_by_file(handle);
	ck_assert_int_eq(os_file_write(&file, "x", 1), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_truncate(&file, 0), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_close(&file), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(file.handle, -1);
	check_theirs_is_untouched(handle);
}
END_TEST

START_TEST(file_of_the_program_is_not_read)
{
	struct os_file file;
	char bytes[4];
	size_t got;

	close(open_theirs());
	ck_assert_int_eq(rename(their_path, path), 0);
	ck_assert_int_eq(os_file_open(path, &file), 0);
	intptr_t handle = file.handle;
	take_by_file(handle);
	ck_assert_int_eq(os_file_read(&file, bytes, sizeof(bytes), &got), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_rewind(&file), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_close(&file), OS_DESCRIPTOR_LOST);
	check_theirs_is_untouched(handle);
}
END_TEST

START_TEST(temporary_file_is_not_exchanged)
{
	struct os_file file;
	char bytes[4];

	ck_assert_int_eq(os_file_temporary(path, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "1234", 4), 0);
	intptr_t handle = file.handle;
	take_by_file(handle);
	ck_assert_int_eq(os_file_read_at(&file, 0, bytes, sizeof(bytes)), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_write(&file, "x", 1), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_file_close(&file), OS_DESCRIPTOR_LOST);
	check_theirs_is_untouched(handle);
}
END_TEST

/* A file system gives the node of a file that is gone to the next new one. */
START_TEST(new_file_with_the_node_of_ours_is_the_programs)
{
	struct os_identity before;
	struct os_identity after;
	int fd = open_theirs();

	ck_assert_int_eq(descriptor_identify(fd, &before), 0);
	ck_assert_int_eq(descriptor_check(fd, &before), 0);
	after = before;
	after.born_ns++;
	ck_assert_int_eq(descriptor_check(fd, &after),
	                 before.born_ns == 0 ? 0 : OS_DESCRIPTOR_LOST);
	after = before;
	after.node++;
	ck_assert_int_eq(descriptor_check(fd, &after), OS_DESCRIPTOR_LOST);
	after = before;
	after.device++;
	ck_assert_int_eq(descriptor_check(fd, &after), OS_DESCRIPTOR_LOST);
	after = before;
	after.born_ns = 0; /* it was unknown when the file was opened */
	ck_assert_int_eq(descriptor_check(fd, &after), 0);
	close(fd);
}
END_TEST

START_TEST(file_with_the_number_of_a_held_directory_stays_open)
{
	struct os_file hold;
	char held[128];
	char name[160];

	ck_assert_int_eq(os_private_directory(path, held, sizeof(held)), 0);
	ck_assert_int_eq(os_directory_hold(held, &hold), 0);
	intptr_t handle = hold.handle;
	take_by_file(handle);
	os_directory_release(held, &hold);
	check_theirs_is_untouched(handle);
	(void)snprintf(name, sizeof(name), "%s/held", held);
	ck_assert_int_ne(access(name, F_OK), 0);
	ck_assert_int_eq(os_directory_remove(held), 0);
}
END_TEST

/* ---- sockets ------------------------------------------------------------ */

static struct os_socket listener;
static struct os_socket client;
static struct os_socket server;

static void connect_pair(void)
{
	uint16_t port;
	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_int_eq(os_socket_connect("127.0.0.1", port, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &server), 0);
}

static void check_all_is_refused(struct os_socket *lost)
{
	char byte;
	size_t length;

	ck_assert_int_eq(os_socket_write(lost, "x", 1, SHORT_MS), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_socket_write_some(lost, "x", 1, SHORT_MS, &length), OS_DESCRIPTOR_LOST);
	ck_assert_int_eq(os_socket_read(lost, &byte, 1, SHORT_MS, &length), OS_DESCRIPTOR_LOST);
	os_socket_end_writing(lost);
	os_socket_shutdown(lost);
	os_socket_close(lost);
	ck_assert_int_eq(lost->handle, -1);
}

START_TEST(file_with_the_number_of_a_socket_is_untouched)
{
	connect_pair();
	intptr_t handle = client.handle;
	take_by_file(handle);
	check_all_is_refused(&client);
	check_theirs_is_untouched(handle);
	os_socket_close(&server);
	os_socket_close(&listener);
}
END_TEST

START_TEST(socket_of_the_program_is_untouched)
{
	char byte = 'y';
	int ends[2];

	connect_pair();
	intptr_t handle = client.handle;
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	ck_assert_int_eq(write(ends[1], "z", 1), 1);
	take(handle, ends[0]);
	check_all_is_refused(&client);

	/* It still has its byte, and goes both ways. */
	ck_assert_int_eq(read((int)handle, &byte, 1), 1);
	ck_assert_int_eq(byte, 'z');
	ck_assert_int_eq(write((int)handle, "a", 1), 1);
	ck_assert_int_eq(read(ends[1], &byte, 1), 1);
	ck_assert_int_eq(byte, 'a');
	ck_assert_int_eq(recv(ends[1], &byte, 1, MSG_DONTWAIT), -1);
	ck_assert(errno == EAGAIN || errno == EWOULDBLOCK);
	close((int)handle);
	close(ends[1]);
	os_socket_close(&server);
	os_socket_close(&listener);
}
END_TEST

START_TEST(connections_of_the_programs_listener_are_its_own)
{
	struct os_socket other;
	uint16_t port;
	uint16_t their_port;

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_int_eq(os_socket_listen(0, &other, &their_port), 0);
	intptr_t handle = listener.handle;
	take(handle, (int)other.handle);
	ck_assert_int_eq(os_socket_connect("127.0.0.1", their_port, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &server), OS_DESCRIPTOR_LOST);
	int accepted = accept((int)handle, NULL, NULL);
	ck_assert_int_ge(accepted, 0);
	close(accepted);
	os_socket_close(&listener);
	ck_assert_int_eq(close((int)handle), 0);
	os_socket_close(&client);
}
END_TEST

static Suite *descriptor_suite(void)
{
	Suite *suite = suite_create("descriptor");
	TCase *files = tcase_create("files");
	tcase_add_checked_fixture(files, set_up, tear_down);
	tcase_add_test(files, file_that_is_ours_is_used);
	tcase_add_test(files, closed_file_is_lost);
	tcase_add_test(files, file_of_the_program_is_neither_written_nor_cut_nor_closed);
	tcase_add_test(files, file_of_the_program_is_not_read);
	tcase_add_test(files, temporary_file_is_not_exchanged);
	tcase_add_test(files, new_file_with_the_node_of_ours_is_the_programs);
	tcase_add_test(files, file_with_the_number_of_a_held_directory_stays_open);
	suite_add_tcase(suite, files);

	TCase *sockets = tcase_create("sockets");
	tcase_add_checked_fixture(sockets, set_up, tear_down);
	tcase_add_test(sockets, file_with_the_number_of_a_socket_is_untouched);
	tcase_add_test(sockets, socket_of_the_program_is_untouched);
	tcase_add_test(sockets, connections_of_the_programs_listener_are_its_own);
	suite_add_tcase(suite, sockets);
	return suite;
}

int main(void)
{
	return run_suite(descriptor_suite());
}
