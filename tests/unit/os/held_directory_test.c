/* marks: timed, posix */
/*
 * Tests of directories that are in use as long as their process lives, and of the removal of
 * those that are not.
 */
#include "os.h"
#include "run_suite.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char parent[64];
static char beside[80];
static char directory[128];

static void set_up(void)
{
	(void)strcpy(parent, "/tmp/hprof-held-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(parent));
	(void)snprintf(beside, sizeof(beside), "%s/profile", parent);
}

static void tear_down(void)
{
	ck_assert_int_eq(rmdir(parent), 0);
}

static void make_file(const char *name)
{
	char path[192];
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void remove_file(const char *name)
{
	char path[192];
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	ck_assert_int_eq(unlink(path), 0);
}

/* A process that makes a directory with a file, holds it, and then waits to be killed. */
static pid_t start_holder(void)
{
	int ends[2];
	char byte;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(os_private_directory(beside, directory, sizeof(directory)), 0);
	make_file("heap");
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		struct os_file hold;
		if (os_directory_hold(directory, &hold) == 0)
			(void)!write(ends[1], "", 1);
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	close(ends[1]);
	return child;
}

START_TEST(a_directory_stays_as_long_as_its_process_lives)
{
	pid_t holder = start_holder();
	char other[128];

	ck_assert_int_eq(os_private_directory(beside, other, sizeof(other)), 0);
	os_directories_remove_left(other);
	ck_assert_int_eq(access(directory, F_OK), 0);
	ck_assert_int_eq(kill(holder, SIGKILL), 0);
	ck_assert_int_eq(waitpid(holder, NULL, 0), holder);
	os_directories_remove_left(other);
	ck_assert_int_ne(access(directory, F_OK), 0);
	ck_assert_int_eq(os_directory_remove(other), 0);
}
END_TEST

START_TEST(what_is_released_is_empty)
{
	struct os_file hold;

	ck_assert_int_eq(os_private_directory(beside, directory, sizeof(directory)), 0);
	ck_assert_int_eq(os_directory_hold(directory, &hold), 0);
	ck_assert_int_ne(os_directory_remove(directory), 0);
	os_directory_release(directory, &hold);
	ck_assert_int_eq(os_directory_remove(directory), 0);
}
END_TEST

START_TEST(what_nobody_has_held_stays)
{
	char target[128];

	/* Of somebody who has not held it yet, and of no agent. */
	ck_assert_int_eq(os_private_directory(beside, directory, sizeof(directory)), 0);
	make_file("heap");
	os_directories_remove_left(directory);
	remove_file("heap");

	/* Others may enter. */
	make_file("held");
	ck_assert_int_eq(chmod(directory, 0755), 0);
	os_directories_remove_left(directory);
	ck_assert_int_eq(chmod(directory, 0700), 0);

	/* Another name, and a link with the right one. */
	(void)snprintf(target, sizeof(target), "%s/.hprof-longer-name", parent);
	ck_assert_int_eq(rename(directory, target), 0);
	ck_assert_int_eq(symlink(target, directory), 0);
	os_directories_remove_left(directory);
	ck_assert_int_eq(unlink(directory), 0);
	(void)strcpy(directory, target);
	remove_file("held");
	ck_assert_int_eq(rmdir(target), 0);
}
END_TEST

START_TEST(a_file_system_that_can_not_hold_is_reported)
{
	struct os_file hold;
	ck_assert_int_ne(os_directory_hold("/proc/self", &hold), 0);
	ck_assert_int_eq(hold.handle, -1);
	os_directory_release("/proc/self", &hold);
	os_directories_remove_left("/no-such-directory/x");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("held directory");
	TCase *tests = tcase_create("held directory");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_directory_stays_as_long_as_its_process_lives);
	tcase_add_test(tests, what_is_released_is_empty);
	tcase_add_test(tests, what_nobody_has_held_stays);
	tcase_add_test(tests, a_file_system_that_can_not_hold_is_reported);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
