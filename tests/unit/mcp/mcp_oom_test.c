/* marks: posix */
/*
 * Tests that each allocation of the server may fail: it is reported, and nothing leaks, which the
 * address sanitizer checks.
 */
#include "failing_allocation.h"
#include "run_suite.h"

#include "mcp/mcp_call.h"
#include "mcp/mcp_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library's own allocations, too. */
static void *allocate(size_t size)
{
	return malloc(size);
}

/* A double of the platform's: what the subcommand would print. */
static const char *printed;

int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code)
{
	(void)arguments;
	(void)strlcpy(output, printed, size);
	*exit_code = 0;
	return 0;
}

static json_t *params[2];
static char path[] = "/tmp/hprof-mcp-XXXXXX";

static void set_up(void)
{
	json_set_alloc_funcs(allocate, free);
	params[0] = json_loads("{\"name\":\"run\",\"arguments\":{\"output\":\"o\",\"command\":"
	                       "[\"java\"]}}",
	                       0, NULL);
	params[1] = json_loads("{\"name\":\"tree\",\"arguments\":{\"profile\":\"o\",\"min\":1}}", 0,
	                       NULL);
	ck_assert_ptr_nonnull(params[0]);
	ck_assert_ptr_nonnull(params[1]);
}

static void tear_down(void)
{
	json_decref(params[0]);
	json_decref(params[1]);
}

static json_t *describe(void)
{
	return mcp_tools_describe();
}

static json_t *call_with(const json_t *values)
{
	const struct mcp_command command = {.path = "hprof", .version = "1"};
	struct mcp_error error = {.code = MCP_NO_METHOD};

	return mcp_call(&command, values, &error);
}

static json_t *call_run(void)
{
	printed = "text\n";
	return call_with(params[0]);
}

static json_t *call_tree(void)
{
	printed = "hprof: a message\n{\"profile\":{}}\n";
	return call_with(params[1]);
}

static bool read_lines(void)
{
	struct os_file file;
	struct mcp_lines lines = {.file = &file};

	if (os_file_open_any(path, &file) != 0)
		return false;
	bool good = mcp_lines_next(&lines) && lines.length == 1 && mcp_lines_next(&lines) &&
	            lines.length == 40000 && !mcp_lines_next(&lines);
	good = good && lines.error == 0;
	mcp_lines_free(&lines);
	(void)os_file_close(&file);
	return good;
}

/* Either there is no result or, where less memory is enough, the same. */
static void fail_each(json_t *(*work)(void), unsigned least)
{
	json_t *expected = work();
	bool failed = true;
	unsigned number = 0;

	ck_assert_ptr_nonnull(expected);
	while (failed) {
		number++;
		fail_allocations(number, number);
		json_t *result = work();
		failed = stop_failing();
		ck_assert_msg(failed || result != NULL, "allocation %u", number);
		ck_assert_msg(result == NULL || json_equal(result, expected), "allocation %u",
		              number);
		json_decref(result);
	}
	json_decref(expected);
	ck_assert_uint_gt(number, least);
}

static void fail_each_line(void)
{
	bool failed = true;
	unsigned number = 0;

	while (failed) {
		number++;
		fail_allocations(number, number);
		bool good = read_lines();
		failed = stop_failing();
		ck_assert_msg(good != failed, "allocation %u", number);
	}
	ck_assert_uint_gt(number, 2);
}

START_TEST(descriptions_report_each_failing_allocation)
{
	fail_each(describe, 100);
}
END_TEST

START_TEST(calls_report_each_failing_allocation)
{
	fail_each(call_run, 10);
	fail_each(call_tree, 10);
}
END_TEST

static void write_lines(int file)
{
	static char line[40000];

	memset(line, 'x', sizeof(line));
	ck_assert_int_eq(write(file, "a\n", 2), 2);
	ck_assert_int_eq(write(file, line, sizeof(line)), (ssize_t)sizeof(line));
	(void)close(file);
}

START_TEST(lines_report_each_failing_allocation)
{
	int file = mkstemp(path);

	ck_assert_int_ge(file, 0);
	write_lines(file);
	fail_each_line();
	(void)unlink(path);
}
END_TEST

static Suite *mcp_oom_suite(void)
{
	Suite *suite = suite_create("mcp_oom");
	TCase *tests = tcase_create("allocations");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, descriptions_report_each_failing_allocation);
	tcase_add_test(tests, calls_report_each_failing_allocation);
	tcase_add_test(tests, lines_report_each_failing_allocation);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(mcp_oom_suite());
}
