/* marks: timed, posix */
/*
 * Tests of output files: who may read them, whose files are emptied, and what
 * becomes of errors. Each test works in a directory of its own.
 */
#include "os_load_posix.h"
#include "run_suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SOMEONE_ELSE 12345 /* a user that is not root and not us */

static char directory[64];
static char path[512];
static char other_path[512];

static void set_up(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/os_files_test.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/out", directory);
	(void)snprintf(other_path, sizeof(other_path), "%s/other", directory);
}

static void tear_down(void)
{
	(void)unlink(path);
	(void)unlink(other_path);
	(void)rmdir(directory);
}

static bool am_root(const char *what)
{
	if (geteuid() == 0)
		return true;
	(void)printf("skipped: only root can %s\n", what);
	return false;
}

static void write_old_file(const char *name, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "old", 3), 3);
	ck_assert_int_eq(fchmod(fd, mode), 0);
	(void)close(fd);
}

static struct stat status_of(const char *name)
{
	struct stat status;
	ck_assert_int_eq(stat(name, &status), 0);
	return status;
}

static void check_private(const char *name, off_t size)
{
	struct stat status = status_of(name);
	ck_assert_uint_eq(status.st_mode & 07777, 0600);
	ck_assert_int_eq(status.st_size, size);
}

/* Opens name, which must succeed, writes text and closes. */
static void write_by_os(const char *name, enum os_file_create how, const char *text)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(name, how, &file), 0);
	ck_assert_int_eq(os_file_write(&file, text, strlen(text)), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}

static void check_refused(const char *name, int error)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(name, OS_FILE_OVERWRITE, &file), error);
	ck_assert_int_eq(file.handle, -1);
	ck_assert_int_eq(os_file_close(&file), 0);
}

START_TEST(new_file_is_for_its_owner_only)
{
	static const enum os_file_create how[] = {OS_FILE_OVERWRITE, OS_FILE_EXCLUSIVE};
	(void)umask(0);
	write_by_os(path, how[_i], "hello");
	check_private(path, 5);
}
END_TEST

START_TEST(overwriting_empties_and_takes_others_rights_away)
{
	write_old_file(path, 0666);
	write_by_os(path, OS_FILE_OVERWRITE, "x");
	check_private(path, 1);
}
END_TEST

START_TEST(keeping_takes_others_rights_away_and_nothing_else)
{
	struct os_file file;
	write_old_file(path, 0666);
	ck_assert_int_eq(os_file_create(path, OS_FILE_KEEP, &file), 0);
	check_private(path, 3);
	ck_assert_int_eq(os_file_truncate(&file, 0), 0);
	check_private(path, 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(appending_keeps_what_is_there_and_what_others_add)
{
	struct os_file file;
	struct os_file other;
	write_old_file(path, 0666);
	ck_assert_int_eq(os_file_create(path, OS_FILE_APPEND, &file), 0);
	ck_assert_int_eq(os_file_create(path, OS_FILE_APPEND, &other), 0);
	check_private(path, 3);
	ck_assert_int_eq(os_file_write(&file, "12", 2), 0);
	ck_assert_int_eq(os_file_write(&other, "34", 2), 0);
	ck_assert_int_eq(os_file_write(&file, "56", 2), 0);
	ck_assert_int_eq(os_file_close(&other), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
	check_private(path, 9);
}
END_TEST

START_TEST(appending_creates_a_private_file)
{
	write_by_os(path, OS_FILE_APPEND, "new");
	check_private(path, 3);
	write_by_os(path, OS_FILE_APPEND, "er");
	check_private(path, 5);
}
END_TEST

START_TEST(exclusive_leaves_an_existing_file_alone)
{
	struct os_file file;
	write_old_file(path, 0644);
	int error = os_file_create(path, OS_FILE_EXCLUSIVE, &file);
	ck_assert(os_file_exists_error(error));
	ck_assert(!os_file_exists_error(ENOENT));
	ck_assert(!os_file_exists_error(0));
	ck_assert_int_eq(status_of(path).st_size, 3);
}
END_TEST

START_TEST(exclusive_does_not_write_through_a_link)
{
	struct os_file file;
	ck_assert_int_eq(symlink(other_path, path), 0);
	ck_assert(os_file_exists_error(os_file_create(path, OS_FILE_EXCLUSIVE, &file)));
	ck_assert_int_ne(access(other_path, F_OK), 0);
}
END_TEST

START_TEST(own_link_is_followed)
{
	write_old_file(other_path, 0644);
	ck_assert_int_eq(symlink(other_path, path), 0);
	write_by_os(path, OS_FILE_OVERWRITE, "new!");
	check_private(other_path, 4);
}
END_TEST

START_TEST(own_link_to_nothing_makes_the_file)
{
	ck_assert_int_eq(symlink("other", path), 0);
	write_by_os(path, OS_FILE_OVERWRITE, "new!");
	check_private(other_path, 4);
}
END_TEST

START_TEST(circle_of_links_is_an_error)
{
	ck_assert_int_eq(symlink(path, other_path), 0);
	ck_assert_int_eq(symlink(other_path, path), 0);
	check_refused(path, ELOOP);
}
END_TEST

START_TEST(link_of_another_user_is_refused)
{
	if (!am_root("give a link away"))
		return;
	write_old_file(other_path, 0644);
	ck_assert_int_eq(symlink(other_path, path), 0);
	ck_assert_int_eq(lchown(path, SOMEONE_ELSE, (gid_t)-1), 0);
	check_refused(path, OS_NOT_OURS);
	ck_assert_int_eq(status_of(other_path).st_size, 3);
}
END_TEST

START_TEST(link_of_another_user_behind_our_own_is_refused)
{
	char third[128];
	if (!am_root("give a link away"))
		return;
	(void)snprintf(third, sizeof(third), "%s/third", directory);
	write_old_file(third, 0644);
	ck_assert_int_eq(symlink(third, other_path), 0);
	ck_assert_int_eq(lchown(other_path, SOMEONE_ELSE, (gid_t)-1), 0);
	ck_assert_int_eq(symlink("other", path), 0);
	check_refused(path, OS_NOT_OURS);
	ck_assert_int_eq(status_of(third).st_size, 3);
	(void)unlink(third);
}
END_TEST

/* What another user may have linked to in his directory, to have us empty it. */
START_TEST(file_with_another_name_is_refused)
{
	static const enum os_file_create how[] = {OS_FILE_OVERWRITE, OS_FILE_KEEP, OS_FILE_APPEND};
	struct os_file file;
	write_old_file(other_path, 0644);
	ck_assert_int_eq(link(other_path, path), 0);
	ck_assert_int_eq(os_file_create(path, how[_i], &file), OS_HARD_LINK);
	ck_assert_int_eq(status_of(other_path).st_size, 3);
	ck_assert_uint_eq(status_of(other_path).st_mode & 07777, 0644);
	ck_assert(os_file_exists_error(os_file_create(path, OS_FILE_EXCLUSIVE, &file)));
	(void)unlink(other_path);
	write_by_os(path, OS_FILE_OVERWRITE, "new!");
	check_private(path, 4);
}
END_TEST

static char inner_directory[1024];
static char inner_path[2048];

/* other_path is a link to the directory that inner_path is in. */
static void set_up_linked_directory(void)
{
	(void)snprintf(inner_directory, sizeof(inner_directory), "%s/inner", directory);
	(void)snprintf(inner_path, sizeof(inner_path), "%s/out", inner_directory);
	ck_assert_int_eq(mkdir(inner_directory, 0755), 0);
	ck_assert_int_eq(symlink("inner", other_path), 0);
	(void)snprintf(path, sizeof(path), "%s//./../%s/other/out", directory,
	               strrchr(directory, '/') + 1);
}

static void tear_down_linked_directory(void)
{
	(void)snprintf(path, sizeof(path), "%s/nothing", directory);
	(void)unlink(inner_path);
	(void)unlink(other_path);
	(void)rmdir(inner_directory);
}

START_TEST(own_link_to_a_directory_is_followed)
{
	set_up_linked_directory();
	write_by_os(path, OS_FILE_EXCLUSIVE, "new!");
	check_private(inner_path, 4);
	write_by_os(path, OS_FILE_OVERWRITE, "newer");
	check_private(inner_path, 5);
	tear_down_linked_directory();
}
END_TEST

START_TEST(another_users_link_to_a_directory_is_refused)
{
	static const enum os_file_create how[] = {OS_FILE_OVERWRITE, OS_FILE_EXCLUSIVE};
	struct os_file file;
	if (!am_root("give a link away"))
		return;
	set_up_linked_directory();
	ck_assert_int_eq(lchown(other_path, SOMEONE_ELSE, (gid_t)-1), 0);
	ck_assert_int_eq(os_file_create(path, how[_i], &file), OS_NOT_OURS);
	ck_assert_int_ne(access(inner_path, F_OK), 0);
	write_old_file(inner_path, 0600);
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), OS_NOT_OURS);
	ck_assert_int_eq(status_of(inner_path).st_size, 3);
	tear_down_linked_directory();
}
END_TEST

START_TEST(a_file_is_no_directory)
{
	struct os_file file;
	char below[1024];
	write_old_file(path, 0600);
	(void)snprintf(below, sizeof(below), "%s/out", path);
	ck_assert_int_eq(os_file_create(below, OS_FILE_OVERWRITE, &file), ENOTDIR);
	(void)snprintf(below, sizeof(below), "%s/", path);
	ck_assert_int_eq(os_file_create(below, OS_FILE_OVERWRITE, &file), ENOTDIR);
}
END_TEST

/* Another user, who exchanges a directory and a link to one all the time, for as long as the
 * pipe is open. */
static void exchange(const char *one, const char *other, int alive)
{
	char byte;
	struct timeval a_moment = {.tv_usec = 0};
	fd_set ended;
	if (setgid(SOMEONE_ELSE) != 0 || setuid(SOMEONE_ELSE) != 0)
		_exit(1);
	for (;;) {
		FD_ZERO(&ended);
		FD_SET(alive, &ended);
		if (select(alive + 1, &ended, NULL, NULL, &a_moment) != 0)
			_exit(read(alive, &byte, 1) == 0 ? 0 : 1);
		char third[1200];
		(void)snprintf(third, sizeof(third), "%s.third", one);
		if (rename(one, third) != 0 || rename(other, one) != 0 || rename(third, other) != 0)
			_exit(2);
	}
}

START_TEST(directories_that_change_while_we_look_lead_nowhere)
{
	char victim[128];
	char theirs[1100];
	char link_name[1100];
	int alive[2];
	int status = 0;
	if (!am_root("be two users"))
		return;
	(void)snprintf(victim, sizeof(victim), "%s/victim", directory);
	(void)snprintf(inner_directory, sizeof(inner_directory), "%s/theirs", directory);
	(void)snprintf(theirs, sizeof(theirs), "%s/a", inner_directory);
	(void)snprintf(link_name, sizeof(link_name), "%s/b", inner_directory);
	(void)snprintf(inner_path, sizeof(inner_path), "%s/out", theirs);
	(void)snprintf(other_path, sizeof(other_path), "%s/out", victim);
	ck_assert_int_eq(mkdir(victim, 0755) | mkdir(inner_directory, 0755) | mkdir(theirs, 0755), 0);
	write_old_file(other_path, 0600);
	ck_assert_int_eq(symlink(victim, link_name), 0);
	ck_assert_int_eq(chown(inner_directory, SOMEONE_ELSE, (gid_t)-1), 0);
	ck_assert_int_eq(chown(theirs, SOMEONE_ELSE, (gid_t)-1), 0);
	ck_assert_int_eq(lchown(link_name, SOMEONE_ELSE, (gid_t)-1), 0);
	ck_assert_int_eq(chmod(directory, 0755), 0);
	ck_assert_int_eq(pipe(alive), 0);
	pid_t other = fork();
	if (other == 0) {
		(void)close(alive[1]);
		exchange(theirs, link_name, alive[0]);
	}
	for (int i = 0; i < 3000; i++) {
		struct os_file file;
		if (os_file_create(inner_path, OS_FILE_OVERWRITE, &file) == 0)
			(void)os_file_close(&file);
	}
	(void)close(alive[1]);
	ck_assert_int_eq(waitpid(other, &status, 0), other);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(status_of(other_path).st_size, 3);
	char command[2048];
	(void)snprintf(command, sizeof(command), "rm -rf %s %s", victim, inner_directory);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Such as /dev/fd/3, by which a shell names a pipe. */
START_TEST(what_is_open_is_reached_by_its_number)
{
	static const char *const directories[] = {"/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"};
	char got[8] = "";
	int ends[2];
	if (access(directories[_i], F_OK) != 0)
		return;
	ck_assert_int_eq(pipe(ends), 0);
	(void)snprintf(path, sizeof(path), "%s/%d", directories[_i], ends[1]);
	write_by_os(path, OS_FILE_OVERWRITE, "one");
	write_by_os(path, OS_FILE_EXCLUSIVE, "two");
	ck_assert_int_eq(read(ends[0], got, sizeof(got)), 6);
	ck_assert_str_eq(got, "onetwo");
	(void)close(ends[0]);
	(void)close(ends[1]);
	(void)snprintf(path, sizeof(path), "%s/nothing", directory);
}
END_TEST

START_TEST(file_of_another_user_is_refused)
{
	if (!am_root("give a file away"))
		return;
	write_old_file(path, 0666);
	ck_assert_int_eq(chown(path, SOMEONE_ELSE, (gid_t)-1), 0);
	check_refused(path, OS_NOT_OURS);
	struct stat status = status_of(path);
	ck_assert_int_eq(status.st_size, 3);
	ck_assert_uint_eq(status.st_mode & 07777, 0666);
}
END_TEST

START_TEST(where_no_file_can_be_the_reason_is_reported)
{
	check_refused("/no-such-directory/out", ENOENT);
	check_refused(directory, EISDIR);
	check_refused("", ENOENT);
}
END_TEST

START_TEST(refusals_leave_no_descriptor_open)
{
	int before = open_descriptors();
	ck_assert_int_eq(symlink(path, other_path), 0);
	ck_assert_int_eq(symlink(other_path, path), 0);
	for (int i = 0; i < 20; i++) {
		check_refused(path, ELOOP);
		check_refused(directory, EISDIR);
	}
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

START_TEST(full_device_is_an_error_of_the_write)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create("/dev/full", OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "x", 1), ENOSPC);
	ck_assert(!os_file_seekable(&file));
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(device_keeps_its_mode)
{
	struct stat before = status_of("/dev/null");
	write_by_os("/dev/null", OS_FILE_OVERWRITE, "gone");
	ck_assert_uint_eq(status_of("/dev/null").st_mode, before.st_mode);
}
END_TEST

START_TEST(fifo_that_nobody_reads_is_an_error_at_once)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	check_refused(path, ENXIO);
}
END_TEST

START_TEST(fifo_with_a_reader_is_written_and_waits_for_room)
{
	struct os_file file;
	static char bytes[1 << 20];
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	pid_t reader = fork();
	if (reader == 0) {
		int fd = open(path, O_RDONLY);
		ssize_t total = 0;
		ssize_t got;
		sleep_ms(100); /* lets the writer fill the pipe */
		while ((got = read(fd, bytes, sizeof(bytes))) > 0)
			total += got;
		_exit(total == (ssize_t)sizeof(bytes) ? 0 : 1);
	}
	int error = ENXIO;
	for (int i = 0; i < 5000 && error == ENXIO; i++) {
		error = os_file_create(path, OS_FILE_OVERWRITE, &file);
		sleep_ms(1);
	}
	ck_assert_int_eq(error, 0);
	ck_assert(!os_file_seekable(&file));
	ck_assert_int_eq(os_file_write(&file, bytes, sizeof(bytes)), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
	int status = -1;
	(void)waitpid(reader, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

START_TEST(standard_output_is_reached_by_its_path)
{
	int pipe_ends[2];
	char got[8] = "";
	ck_assert_int_eq(pipe(pipe_ends), 0);
	(void)fflush(stdout);
	int saved = dup(STDOUT_FILENO);
	(void)dup2(pipe_ends[1], STDOUT_FILENO);
	write_by_os("/dev/stdout", OS_FILE_OVERWRITE, "piped");
	(void)dup2(saved, STDOUT_FILENO);
	(void)close(saved);
	ck_assert_int_eq(read(pipe_ends[0], got, sizeof(got)), 5);
	ck_assert_mem_eq(got, "piped", 5);
	(void)close(pipe_ends[0]);
	(void)close(pipe_ends[1]);
}
END_TEST

/* ---- what standard output or error goes to ---------------------------- */

static int put_in_place(int standard, const char *name, int flags)
{
	(void)fflush(NULL);
	int saved = dup(standard);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flags, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(dup2(fd, standard), standard);
	(void)close(fd);
	return saved;
}

static void put_back(int standard, int saved)
{
	(void)dup2(saved, standard);
	(void)close(saved);
}

static void check_content(const char *name, const char *text)
{
	char got[64] = "";
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(read(fd, got, sizeof(got) - 1), (ssize_t)strlen(text));
	(void)close(fd);
	ck_assert_str_eq(got, text);
}

static const struct {
	int standard;
	const char *name; /* NULL is the file's own */
	int flags;
	enum os_file_create how;
} redirections[] = {
        {STDOUT_FILENO, "/dev/stdout", 0, OS_FILE_OVERWRITE},
        {STDOUT_FILENO, "/dev/stdout", O_APPEND, OS_FILE_OVERWRITE},
        {STDOUT_FILENO, "/dev/stdout", 0, OS_FILE_EXCLUSIVE},
        {STDOUT_FILENO, "/dev/fd/1", 0, OS_FILE_OVERWRITE},
        {STDOUT_FILENO, "/proc/self/fd/1", 0, OS_FILE_OVERWRITE},
        {STDOUT_FILENO, NULL, 0, OS_FILE_OVERWRITE},
        {STDERR_FILENO, "/dev/stderr", 0, OS_FILE_OVERWRITE},
        {STDERR_FILENO, "/dev/fd/2", 0, OS_FILE_EXCLUSIVE},
};

START_TEST(redirected_output_is_shared_and_not_written_over)
{
	struct os_file file;
	int standard = redirections[_i].standard;
	int saved = put_in_place(standard, path, redirections[_i].flags);
	const char *name = redirections[_i].name != NULL ? redirections[_i].name : path;

	ssize_t first = write(standard, "one ", 4);
	int created = os_file_create(name, redirections[_i].how, &file);
	bool seekable = created == 0 && os_file_seekable(&file);
	int written = created == 0 ? os_file_write(&file, "two ", 4) : -1;
	ssize_t second = write(standard, "three", 5);
	int closed = os_file_close(&file);
	ssize_t third = write(standard, "!", 1);
	put_back(standard, saved);

	ck_assert_int_eq(created, 0);
	ck_assert(!seekable);
	ck_assert_int_eq(written, 0);
	ck_assert_int_eq(closed, 0);
	ck_assert_int_eq(first + second + third, 4 + 5 + 1);
	check_content(path, "one two three!");
	ck_assert_uint_eq(status_of(path).st_mode & 07777, 0644);
}
END_TEST

START_TEST(shared_output_is_not_inherited)
{
	struct os_file file;
	int saved = put_in_place(STDOUT_FILENO, path, 0);
	int created = os_file_create("/dev/stdout", OS_FILE_OVERWRITE, &file);
	put_back(STDOUT_FILENO, saved);
	ck_assert_int_eq(created, 0);
	ck_assert_int_ne(fcntl((int)file.handle, F_GETFD) & FD_CLOEXEC, 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(another_file_is_not_taken_for_standard_output)
{
	int saved = put_in_place(STDOUT_FILENO, path, 0);
	write_old_file(other_path, 0644);
	struct os_file file;
	int created = os_file_create(other_path, OS_FILE_OVERWRITE, &file);
	put_back(STDOUT_FILENO, saved);
	ck_assert_int_eq(created, 0);
	ck_assert(os_file_seekable(&file));
	ck_assert_int_eq(os_file_close(&file), 0);
	check_private(other_path, 0);
}
END_TEST

START_TEST(non_blocking_output_is_waited_for)
{
	static char bytes[1 << 20];
	struct os_file file;
	int pipe_ends[2];
	ck_assert_int_eq(pipe(pipe_ends), 0);
	pid_t reader = fork();
	if (reader == 0) {
		ssize_t total = 0;
		ssize_t got;
		(void)close(pipe_ends[1]);
		sleep_ms(100); /* lets the writer fill the pipe */
		while ((got = read(pipe_ends[0], bytes, sizeof(bytes))) > 0)
			total += got;
		_exit(total == (ssize_t)sizeof(bytes) ? 0 : 1);
	}
	(void)fflush(NULL);
	int saved = dup(STDOUT_FILENO);
	(void)dup2(pipe_ends[1], STDOUT_FILENO);
	(void)close(pipe_ends[0]);
	(void)close(pipe_ends[1]);
	(void)fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
	int created = os_file_create("/dev/stdout", OS_FILE_OVERWRITE, &file);
	int written = created == 0 ? os_file_write(&file, bytes, sizeof(bytes)) : -1;
	(void)os_file_close(&file);
	put_back(STDOUT_FILENO, saved);
	int status = -1;
	(void)waitpid(reader, &status, 0);
	ck_assert_int_eq(created, 0);
	ck_assert_int_eq(written, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

/* ---- what is no regular file ------------------------------------------ */

START_TEST(exclusive_writes_to_a_device)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create("/dev/null", OS_FILE_EXCLUSIVE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "gone", 4), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(exclusive_writes_to_a_fifo)
{
	char got[8] = "";
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(reader, 0);
	write_by_os(path, OS_FILE_EXCLUSIVE, "piped");
	ck_assert_int_eq(read(reader, got, sizeof(got)), 5);
	(void)close(reader);
}
END_TEST

START_TEST(exclusive_takes_a_directory_for_a_file_that_exists)
{
	struct os_file file;
	ck_assert(os_file_exists_error(os_file_create(directory, OS_FILE_EXCLUSIVE, &file)));
}
END_TEST

START_TEST(fifo_of_another_user_gets_nothing)
{
	struct os_file file;
	if (!am_root("give a FIFO away"))
		return;
	ck_assert_int_eq(mkfifo(path, 0666), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_eq(chown(path, SOMEONE_ELSE, (gid_t)-1), 0);
	check_refused(path, OS_NOT_OURS);
	ck_assert(os_file_exists_error(os_file_create(path, OS_FILE_EXCLUSIVE, &file)));
	(void)close(reader);
}
END_TEST

START_TEST(truncation_moves_the_position_too)
{
	struct os_file file;
	char got[16] = "";
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), 0);
	ck_assert(os_file_seekable(&file));
	ck_assert_int_eq(os_file_write(&file, "head-and-tail", 13), 0);
	ck_assert_int_eq(os_file_truncate(&file, 4), 0);
	ck_assert_int_eq(os_file_write(&file, "!", 1), 0);
	ck_assert_int_eq(os_file_truncate(&file, UINT64_MAX), EFBIG);
	ck_assert_int_eq(os_file_close(&file), 0);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(read(fd, got, sizeof(got)), 5);
	(void)close(fd);
	ck_assert_str_eq(got, "head!");
}
END_TEST

START_TEST(child_processes_do_not_inherit_the_file)
{
	static const enum os_file_create how[] = {OS_FILE_OVERWRITE, OS_FILE_EXCLUSIVE};
	struct os_file file;
	ck_assert_int_eq(os_file_create(path, how[_i], &file), 0);
	ck_assert_int_ne(fcntl((int)file.handle, F_GETFD) & FD_CLOEXEC, 0);
	ck_assert_int_eq(fcntl((int)file.handle, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(file_does_not_take_the_place_of_standard_input)
{
	struct os_file file;
	int saved = dup(STDIN_FILENO);
	(void)close(STDIN_FILENO);
	ck_assert_int_eq(os_file_create(path, OS_FILE_OVERWRITE, &file), 0);
	intptr_t handle = file.handle;
	bool cloexec = (fcntl((int)handle, F_GETFD) & FD_CLOEXEC) != 0;
	(void)os_file_close(&file);
	(void)dup2(saved, STDIN_FILENO);
	(void)close(saved);
	ck_assert_int_gt(handle, STDERR_FILENO);
	ck_assert(cloexec);
}
END_TEST

static TCase *ownership_tests(void)
{
	TCase *tc = tcase_create("ownership");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, new_file_is_for_its_owner_only, 0, 2);
	tcase_add_test(tc, overwriting_empties_and_takes_others_rights_away);
	tcase_add_test(tc, keeping_takes_others_rights_away_and_nothing_else);
	tcase_add_test(tc, appending_keeps_what_is_there_and_what_others_add);
	tcase_add_test(tc, appending_creates_a_private_file);
	tcase_add_test(tc, exclusive_leaves_an_existing_file_alone);
	tcase_add_test(tc, exclusive_does_not_write_through_a_link);
	tcase_add_test(tc, own_link_is_followed);
	tcase_add_test(tc, own_link_to_nothing_makes_the_file);
	tcase_add_test(tc, circle_of_links_is_an_error);
	tcase_add_test(tc, link_of_another_user_is_refused);
	tcase_add_test(tc, link_of_another_user_behind_our_own_is_refused);
	tcase_add_test(tc, file_of_another_user_is_refused);
	tcase_add_loop_test(tc, file_with_another_name_is_refused, 0, 3);
	tcase_add_test(tc, own_link_to_a_directory_is_followed);
	tcase_add_loop_test(tc, another_users_link_to_a_directory_is_refused, 0, 2);
	tcase_add_test(tc, a_file_is_no_directory);
	tcase_add_loop_test(tc, what_is_open_is_reached_by_its_number, 0, 3);
	tcase_add_test(tc, directories_that_change_while_we_look_lead_nowhere);
	tcase_add_test(tc, where_no_file_can_be_the_reason_is_reported);
	tcase_add_test(tc, refusals_leave_no_descriptor_open);
	return tc;
}

static TCase *writing_tests(void)
{
	TCase *tc = tcase_create("writing");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, full_device_is_an_error_of_the_write);
	tcase_add_test(tc, device_keeps_its_mode);
	tcase_add_test(tc, fifo_that_nobody_reads_is_an_error_at_once);
	tcase_add_test(tc, fifo_with_a_reader_is_written_and_waits_for_room);
	tcase_add_test(tc, standard_output_is_reached_by_its_path);
	tcase_add_loop_test(tc, redirected_output_is_shared_and_not_written_over, 0,
	                    sizeof(redirections) / sizeof(redirections[0]));
	tcase_add_test(tc, shared_output_is_not_inherited);
	tcase_add_test(tc, another_file_is_not_taken_for_standard_output);
	tcase_add_test(tc, non_blocking_output_is_waited_for);
	tcase_add_test(tc, exclusive_writes_to_a_device);
	tcase_add_test(tc, exclusive_writes_to_a_fifo);
	tcase_add_test(tc, exclusive_takes_a_directory_for_a_file_that_exists);
	tcase_add_test(tc, fifo_of_another_user_gets_nothing);
	tcase_add_test(tc, truncation_moves_the_position_too);
	tcase_add_loop_test(tc, child_processes_do_not_inherit_the_file, 0, 2);
	tcase_add_test(tc, file_does_not_take_the_place_of_standard_input);
	return tc;
}

static Suite *os_files_suite(void)
{
	Suite *suite = suite_create("os_files");
	suite_add_tcase(suite, ownership_tests());
	suite_add_tcase(suite, writing_tests());
	return suite;
}

int main(void)
{
	return run_suite(os_files_suite());
}
