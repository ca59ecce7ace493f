/*
 * Tests of the answers to calls: what a subcommand prints becomes a result or an error.
 */
#include "run_suite.h"

#include "mcp/mcp_call.h"
#include "os/os_programs.h"

#include <stdio.h>
#include <string.h>

/* A double of the platform's: what the subcommand prints, and how it ends. */
static const char *printed;
static int ends_with;
static int fails_with;
static bool is_too_much;

int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code)
{
	ck_assert_str_eq(arguments[0], "/path/hprof");
	(void)strlcpy(output, printed, size);
	if (is_too_much) {
		memset(output, 'x', size);
		output[size - 1] = '\0';
	}
	*exit_code = ends_with;
	return fails_with;
}

static struct mcp_error error;

static void set_up(void)
{
	printed = "";
	ends_with = 0;
	fails_with = 0;
	is_too_much = false;
}

/* The result as text; NULL: an error. The caller frees it. */
static char *call(const char *values)
{
	const struct mcp_command command = {.path = "/path/hprof", .version = "1"};
	json_t *params = json_loads(values, 0, NULL);
	json_t *result = mcp_call(&command, params, &error);
	char *text = result == NULL ? NULL : json_dumps(result, JSON_COMPACT);

	json_decref(params);
	json_decref(result);
	return text;
}

#define TREE "{\"name\":\"tree\",\"arguments\":{\"profile\":\"a\"}}"
#define RUN "{\"name\":\"run\",\"arguments\":{\"output\":\"a\",\"command\":[\"java\"]}}"

static void result_is(const char *values, const char *expected)
{
	char *text = call(values);
	ck_assert_msg(text != NULL, "%s", error.text);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void error_is(const char *values, enum mcp_code code, const char *text)
{
	ck_assert_ptr_null(call(values));
	ck_assert_int_eq(error.code, code);
	ck_assert_str_eq(error.text, text);
}

START_TEST(a_report_is_text_and_value)
{
	printed = "hprof: a warning\n{\"a\":1}\n";
	result_is(TREE, "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}],\"isError\":"
	                "false,\"structuredContent\":{\"a\":1}}");
	ends_with = 1;
	printed = "{\"profile\":{\"is_whole\":false}}\n";
	free(call(TREE));
	ck_assert_int_eq(ends_with, 1);
}
END_TEST

START_TEST(a_run_has_what_the_program_printed)
{
	printed = "a\xff\n";
	ends_with = 3;
	result_is(RUN, "{\"content\":[{\"type\":\"text\",\"text\":\"a\xef\xbf\xbd\\n\"}],"
	               "\"isError\":true,\"structuredContent\":{\"exit_code\":3}}");
}
END_TEST

static void failure_is(const char *values, const char *message)
{
	char expected[256];

	(void)snprintf(expected, sizeof(expected),
	               "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],\"isError\":true}",
	               message);
	result_is(values, expected);
}

START_TEST(failures_are_results_with_the_message)
{
	ends_with = 1;
	printed = "hprof: can't read a: no such file\nmore\n";
	failure_is(TREE, "can't read a: no such file");
	printed = "hprof: nothing\n{\"profile\":{\"is_whole\":true}}\n";
	failure_is(TREE, "nothing");
	printed = "{\"profile\":{\"is_whole\":true}}\nhprof: after it\n";
	failure_is(TREE, "after it");
	printed = "killed\n";
	failure_is(TREE, "the subcommand failed");
}
END_TEST

START_TEST(a_subcommand_without_a_result_is_an_error)
{
	fails_with = OS_NO_MEMORY;
	ck_assert_ptr_null(call(TREE));
	ck_assert_int_eq(error.code, MCP_INTERNAL_ERROR);
	fails_with = 0;
	printed = "{\"profile\":{";
	error_is(TREE, MCP_INTERNAL_ERROR,
	         "out of memory, or the subcommand ended before its report");
}
END_TEST

START_TEST(reports_have_a_limit)
{
	is_too_much = true;
	failure_is(TREE, "the report has more than 4 MiB; ask for fewer rows");
}
END_TEST

START_TEST(calls_of_no_tool_are_refused)
{
	error_is("{}", MCP_INVALID_PARAMETERS, "no such tool; tools/list has those there are");
	error_is("[]", MCP_INVALID_PARAMETERS, "no such tool; tools/list has those there are");
	error_is("{\"name\":\"x\"}", MCP_INVALID_PARAMETERS,
	         "no such tool; tools/list has those there are");
	error_is("{\"name\":\"tree\",\"arguments\":[]}", MCP_INVALID_PARAMETERS,
	         "arguments is no object");
	error_is("{\"name\":\"tree\"}", MCP_INVALID_PARAMETERS, "profile is missing");
}
END_TEST

static Suite *mcp_call_suite(void)
{
	Suite *suite = suite_create("mcp_call");
	TCase *tests = tcase_create("answers");
	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, a_report_is_text_and_value);
	tcase_add_test(tests, a_run_has_what_the_program_printed);
	tcase_add_test(tests, failures_are_results_with_the_message);
	tcase_add_test(tests, a_subcommand_without_a_result_is_an_error);
	tcase_add_test(tests, reports_have_a_limit);
	tcase_add_test(tests, calls_of_no_tool_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(mcp_call_suite());
}
