/* marks: posix */
/*
 * Tests that each allocation of --json may fail: the exit code and standard error report it, and no
 * file is left that looks like that of the whole. The address sanitizer checks that nothing leaks.
 */
#include "failing_allocation.h"
#include "run_suite.h"

#include "command/command.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALLOCATIONS_LEAST = 50, ARGUMENTS_MAX = 12, PRINTED_MAX = 65536 };

#define STATES                                                                    \
	"TRACE MICROSTATES (ms) BEGIN (total = 60, exact) Sat Nov 21 02:55:45\n"  \
	"rank wall usr sys tfl dfl lck slp i/o lat stw calls trace method\n"      \
	"   1   60.000   50.000   -   -   -    2.000    0.000    0.000    8.000 " \
	"  0.000   7 300001 App.main\n"                                           \
	"TRACE MICROSTATES (ms) END\n"

#define PROFILE(calls, bytes)                                                               \
	"JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"                            \
	"--------\n"                                                                        \
	"NOTE: options: cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y\n" \
	"NOTE: heap: every allocation (reported by bytecode, objects not tracked; x)\n"     \
	"THREAD START (obj=1, id = 200001, name=\"main\", group=\"main\")\n"                \
	"TRACE 300001: (thread=200001)\n"                                                   \
	"\tApp.find(App.java:12)\n"                                                         \
	"\tApp.main(App.java:1)\n"                                                          \
	"CPU TIME (ms) BEGIN (total = 1) Sat Nov 21 02:55:44 2026\n"                        \
	"1 100.00% 100.00% " calls " 300001 App.find\n"                                     \
	"CPU TIME (ms) END\n"                                                               \
	"SITES BEGIN (ordered by allocated bytes, live not counted) Sat\n"                  \
	"1 100.00% 100.00% 0 0 " bytes " 1 300001 byte[]\n"                                 \
	"SITES END\n"

static char directory[] = "/tmp/hprof-json-XXXXXX";
static char old_name[64];
static char new_name[64];
static char binary_name[64];
static char json_name[64];
static int messages; /* what goes to standard error */

/* The library's own allocations, too. */
static void *allocate(size_t size)
{
	return malloc(size);
}

static void write_file(char name[64], const char *file, const char *text)
{
	(void)snprintf(name, 64, "%s/%s", directory, file);
	FILE *stream = fopen(name, "w");
	ck_assert_ptr_nonnull(stream);
	ck_assert(fputs(text, stream) >= 0);
	ck_assert_int_eq(fclose(stream), 0);
}

/* A file without records. */
static void write_binary(void)
{
	static const char name[] = "JAVA PROFILE 1.0.2";
	static const uint8_t rest[] = {0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1};

	(void)snprintf(binary_name, sizeof(binary_name), "%s/binary", directory);
	FILE *stream = fopen(binary_name, "w");
	ck_assert_ptr_nonnull(stream);
	ck_assert_uint_eq(fwrite(name, sizeof(name), 1, stream), 1);
	ck_assert_uint_eq(fwrite(rest, sizeof(rest), 1, stream), 1);
	ck_assert_int_eq(fclose(stream), 0);
}

static void set_up(void)
{
	char messages_name[64];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	write_file(old_name, "old", PROFILE("5", "16") STATES);
	write_file(new_name, "new", PROFILE("6", "32"));
	write_binary();
	write_file(messages_name, "messages", "");
	messages = open(messages_name, O_RDWR | O_TRUNC | O_APPEND | O_CLOEXEC);
	ck_assert_int_ge(messages, 0);
	ck_assert_int_eq(remove(messages_name), 0);
	(void)snprintf(json_name, sizeof(json_name), "%s/json", directory);
	json_set_alloc_funcs(allocate, free);
}

static void tear_down(void)
{
	(void)remove(old_name);
	(void)remove(new_name);
	(void)remove(binary_name);
	(void)remove(json_name);
	(void)remove(directory);
	(void)close(messages);
}

/* The file that was written; empty if there is none. */
static void read_json(char *text)
{
	FILE *stream = fopen(json_name, "r");
	size_t length = stream == NULL ? 0 : fread(text, 1, PRINTED_MAX - 1, stream);

	text[length] = '\0';
	if (stream != NULL)
		(void)fclose(stream);
}

static void check_end(bool failed, int code, int good_code, unsigned number)
{
	static char json[PRINTED_MAX];
	char printed[4096] = "";

	(void)fflush(stderr);
	ck_assert(pread(messages, printed, sizeof(printed) - 1, 0) >= 0);
	read_json(json);
	ck_assert_msg((code == good_code) != failed, "allocation %u: code %d: %s", number, code,
	              printed);
	ck_assert_msg((strstr(printed, "memory") != NULL) == failed, "allocation %u: %s", number,
	              printed);
	/* A file that was not read to its end has a document that says so. */
	bool is_part = strstr(json, "\"is_whole\":false") != NULL;
	ck_assert_msg(failed ? json[0] == '\0' || is_part : json[0] == '{' && !is_part,
	              "allocation %u: %s", number, json);
}

static void fail_each(int (*command)(int count, char **arguments), int good_code, char **words)
{
	bool failed = true;
	unsigned number = 0;

	while (failed) {
		char *arguments[ARGUMENTS_MAX] = {"--json", "-o", json_name};
		int count = 3;
		for (char **word = words; *word != NULL; word++)
			arguments[count++] = *word;
		number++;
		(void)remove(json_name);
		ck_assert_int_eq(ftruncate(messages, 0), 0);
		(void)dup2(messages, STDERR_FILENO);
		fail_allocations(number, number);
		int code = command(count, arguments);
		failed = stop_failing();
		check_end(failed, code, good_code, number);
	}
	ck_assert_uint_gt(number, ALLOCATIONS_LEAST);
}

START_TEST(a_report_reports_each_failing_allocation)
{
	char *all[] = {old_name, NULL};
	char *tree[] = {"--tree", "--threads", old_name, NULL};
	char *states[] = {"--by", "state", old_name, NULL};

	fail_each(command_report, EXIT_DONE, all);
	fail_each(command_report, EXIT_DONE, tree);
	fail_each(command_report, EXIT_DONE, states);
}
END_TEST

START_TEST(a_difference_reports_each_failing_allocation)
{
	char *words[] = {old_name, new_name, NULL};
	fail_each(command_diff, EXIT_DONE, words);
}
END_TEST

START_TEST(a_verdict_reports_each_failing_allocation)
{
	char *words[] = {"--baseline", old_name, "--classes", "App*", new_name, NULL};
	enum { GREW = 1 };
	fail_each(command_gate, GREW, words);
}
END_TEST

START_TEST(a_check_of_a_file_reports_each_failing_allocation)
{
	char *words[] = {binary_name, NULL};
	fail_each(command_check, EXIT_DONE, words);
}
END_TEST

static Suite *json_oom_suite(void)
{
	Suite *suite = suite_create("json_oom");
	TCase *tests = tcase_create("allocations");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_report_reports_each_failing_allocation);
	tcase_add_test(tests, a_difference_reports_each_failing_allocation);
	tcase_add_test(tests, a_verdict_reports_each_failing_allocation);
	tcase_add_test(tests, a_check_of_a_file_reports_each_failing_allocation);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(json_oom_suite());
}
