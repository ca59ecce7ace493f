/* marks: tsan, posix */
/*
 * Tests of messages in files: what goes where, in which order, and while threads print.
 */
#include "base/messages.h"
#include "os/os.h"
#include "run_suite.h"

#include <check.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64];
static char one[80];
static char two[80];
static int errors; /* what standard error is redirected to */

static void set_up(void)
{
	(void)strlcpy(directory, "/tmp/hprof-messages-XXXXXX", sizeof(directory));
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(one, sizeof(one), "%s/one", directory);
	(void)snprintf(two, sizeof(two), "%s/two", directory);
	char path[80];
	(void)snprintf(path, sizeof(path), "%s/errors", directory);
	errors = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
	ck_assert_int_ge(errors, 0);
	unlink(path);
	ck_assert_int_ge(dup2(errors, STDERR_FILENO), 0);
}

static void tear_down(void)
{
	(void)close(errors);
	(void)unlink(one);
	(void)unlink(two);
	(void)rmdir(directory);
}

static void expect(const char *path, const char *text)
{
	char found[4096] = "";
	int file = path == NULL ? errors : open(path, O_RDONLY);
	ck_assert_int_ge(file, 0);
	ck_assert_int_ge(pread(file, found, sizeof(found) - 1, 0), 0);
	if (path != NULL)
		(void)close(file);
	ck_assert_str_eq(found, text);
}

static struct message_file *open_file(const char *path)
{
	struct message_file *file = NULL;
	ck_assert_int_eq(message_file_open(path, &file), 0);
	ck_assert_ptr_nonnull(file);
	return file;
}

START_TEST(messages_go_to_standard_error_without_a_file)
{
	message_print("number %d", 7);
	expect(NULL, "hprof: number 7\n");
}
END_TEST

START_TEST(a_file_gets_the_messages_from_its_open_to_its_close)
{
	message_print("before");
	struct message_file *file = open_file(one);
	message_print("during");
	message_file_close(file);
	message_print("after");
	expect(one, "hprof: during\n");
	expect(NULL, "hprof: before\nhprof: after\n");
}
END_TEST

START_TEST(an_existing_file_is_appended_to_and_made_private)
{
	struct stat status;
	int file = open(one, O_WRONLY | O_CREAT, 0644);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, "old\n", 4), 4);
	(void)close(file);
	struct message_file *opened = open_file(one);
	message_print("new");
	message_file_close(opened);
	expect(one, "old\nhprof: new\n");
	ck_assert_int_eq(stat(one, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
}
END_TEST

/* Two JVMs that write to one file. */
START_TEST(another_writer_of_the_file_is_not_written_over)
{
	struct message_file *opened = open_file(one);
	message_print("mine");
	int file = open(one, O_WRONLY | O_APPEND);
	ck_assert_int_eq(write(file, "other\n", 6), 6);
	(void)close(file);
	message_print("mine, too");
	message_file_close(opened);
	expect(one, "hprof: mine\nother\nhprof: mine, too\n");
}
END_TEST

/* As when an attach is refused while a profile runs, and when it replaces that profile. */
START_TEST(the_file_opened_last_gets_the_messages)
{
	struct message_file *first = open_file(one);
	struct message_file *second = open_file(two);
	message_print("a");
	message_file_close(second);
	message_print("b");
	second = open_file(two);
	message_file_close(first);
	message_print("c");
	message_file_close(second);
	message_print("d");
	expect(one, "hprof: b\n");
	expect(two, "hprof: a\nhprof: c\n");
	expect(NULL, "hprof: d\n");
}
END_TEST

START_TEST(a_file_that_can_not_be_opened_changes_nothing)
{
	struct message_file *file = NULL;
	ck_assert_int_ne(message_file_open("/nonexistent/messages", &file), 0);
	ck_assert_ptr_null(file);
	ck_assert_int_eq(mkdir(two, 0700), 0);
	ck_assert_int_ne(message_file_open(two, &file), 0);
	ck_assert_int_eq(rmdir(two), 0);
	message_file_close(NULL);
	message_print("here");
	expect(NULL, "hprof: here\n");
}
END_TEST

START_TEST(a_line_that_can_not_be_written_goes_to_standard_error)
{
	struct message_file *file = open_file("/dev/full");
	message_print("full");
	message_file_close(file);
	expect(NULL, "hprof: full\n");
}
END_TEST

START_TEST(a_long_line_is_cut_off_and_ended)
{
	static char text[10000];
	memset(text, 'x', sizeof(text) - 1);
	struct message_file *file = open_file(one);
	message_print("%s", text);
	message_file_close(file);
	FILE *read = fopen(one, "r");
	char line[4096];
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), read));
	(void)fclose(read);
	ck_assert_uint_gt(strlen(line), 2000);
	ck_assert_int_eq(line[strlen(line) - 1], '\n');
}
END_TEST

static atomic_bool done;

static void print_many(void *argument)
{
	(void)argument;
	while (!atomic_load(&done))
		message_print("x");
}

START_TEST(files_may_be_closed_while_other_threads_print)
{
	struct os_thread_handle threads[2];

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(os_thread_start(&threads[i], print_many, NULL), 0);
	for (int i = 0; i < 200; i++) {
		struct message_file *file = open_file(i % 2 == 0 ? one : two);
		message_print("y");
		message_file_close(file);
	}
	atomic_store(&done, true);
	for (int i = 0; i < 2; i++)
		os_thread_join(&threads[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("messages");
	TCase *tests = tcase_create("files");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, messages_go_to_standard_error_without_a_file);
	tcase_add_test(tests, a_file_gets_the_messages_from_its_open_to_its_close);
	tcase_add_test(tests, an_existing_file_is_appended_to_and_made_private);
	tcase_add_test(tests, another_writer_of_the_file_is_not_written_over);
	tcase_add_test(tests, the_file_opened_last_gets_the_messages);
	tcase_add_test(tests, a_file_that_can_not_be_opened_changes_nothing);
	tcase_add_test(tests, a_line_that_can_not_be_written_goes_to_standard_error);
	tcase_add_test(tests, a_long_line_is_cut_off_and_ended);
	tcase_add_test(tests, files_may_be_closed_while_other_threads_print);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
