/*
 * Tests of the tools of the server: their command lines, and arguments that are refused.
 */
#include "run_suite.h"

#include "mcp/mcp_tools.h"

#include <stdio.h>
#include <string.h>

static struct mcp_words words;
static struct mcp_error error;

static bool make_words(const char *tool, const char *values)
{
	json_t *parsed = json_loads(values, 0, NULL);

	ck_assert_ptr_nonnull(parsed);
	ck_assert_ptr_nonnull(mcp_tool_find(tool));
	words = (struct mcp_words){.count = 0};
	bool good = mcp_tool_words(mcp_tool_find(tool), parsed, &words, &error);
	/* The words are those of the values. */
	static char line[4096];
	line[0] = '\0';
	for (size_t i = 0; i < words.count; i++) {
		(void)strlcat(line, i == 0 ? "" : " ", sizeof(line));
		(void)strlcat(line, words.words[i], sizeof(line));
	}
	words.words[0] = line;
	json_decref(parsed);
	return good;
}

static void words_are(const char *tool, const char *values, const char *expected)
{
	ck_assert_msg(make_words(tool, values), "%s", error.text);
	ck_assert_str_eq(words.words[0], expected);
}

static void refused(const char *tool, const char *values, const char *text)
{
	ck_assert(!make_words(tool, values));
	ck_assert_int_eq(error.code, MCP_INVALID_PARAMETERS);
	ck_assert_str_eq(error.text, text);
}

START_TEST(calls_become_command_lines)
{
	words_are("hot_methods", "{\"profile\":\"a b\",\"top\":3,\"by\":\"line\"}",
	          "report --json --by method --by line --top 3 a b");
	words_are("tree", "{\"profile\":\"a\",\"threads\":true,\"min\":0}",
	          "report --json --tree --min 0 --threads a");
	words_are("tree", "{\"profile\":\"a\",\"threads\":false}", "report --json --tree a");
	words_are("tree", "{\"profile\":\"a\",\"inverted\":true,\"below\":\"-x\"}",
	          "report --json --tree --below -x --inverted a");
	words_are("sites", "{\"profile\":\"a\"}", "report --json --traces --of sites a");
	words_are("states", "{\"profile\":\"a\",\"filter\":\"--x\"}",
	          "report --json --by state --filter --x a");
	words_are("diff", "{\"new\":\"b\",\"old\":\"a\",\"normalize\":true}",
	          "diff --json --normalize a b");
	words_are("verdict", "{\"new\":\"b\",\"old\":\"a\",\"classes\":[\"x.*\",\"y\"]}",
	          "check --json --classes x.* --classes y --baseline a b");
	words_are("run", "{\"output\":\"o.txt\",\"command\":[\"java\",\"-x\",\"\"],\"mode\":\"m\"}",
	          "run -e m -o o.txt -- java -x ");
}
END_TEST

START_TEST(arguments_of_another_kind_are_refused)
{
	refused("tree", "{}", "profile is missing");
	refused("tree", "{\"profile\":1}", "profile is no text");
	refused("tree", "{\"profile\":\"\"}", "profile is no text");
	refused("tree", "{\"profile\":\"-o\"}", "profile begins with -; write ./ before it");
	refused("tree", "{\"profile\":\"a\",\"threads\":1}", "threads is neither true nor false");
	refused("tree", "{\"profile\":\"a\",\"min\":101}", "min is no integer from 0 to 100");
	refused("sites", "{\"profile\":\"a\",\"top\":0}", "top is no integer from 1 to 1000");
	refused("sites", "{\"profile\":\"a\",\"top\":9000000000000}",
	        "top is no integer from 1 to 1000");
	refused("sites", "{\"profile\":\"a\",\"of\":\"x\"}",
	        "sites has no such argument; tools/list has those it has");
	refused("run", "{\"output\":\"o\",\"command\":[]}", "command is no list of texts");
	refused("run", "{\"output\":\"o\",\"command\":[1]}", "command is no list of texts");
	ck_assert_ptr_null(mcp_tool_find("none"));
}
END_TEST

START_TEST(command_lines_have_a_limit)
{
	char values[2048] = "{\"output\":\"o\",\"command\":[\"a\"";

	for (int i = 0; i < MCP_WORDS_MAX; i++)
		(void)strlcat(values, ",\"a\"", sizeof(values));
	(void)strlcat(values, "]}", sizeof(values));
	refused("run", values, "more than 128 words");
}
END_TEST

START_TEST(each_tool_is_described)
{
	json_t *list = mcp_tools_describe();

	ck_assert_uint_eq(json_array_size(list), 7);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *tool = json_array_get(list, i);
		const char *name = json_string_value(json_object_get(tool, "name"));
		ck_assert_ptr_nonnull(mcp_tool_find(name));
		ck_assert_int_eq(mcp_tool_reports(mcp_tool_find(name)), strcmp(name, "run") != 0);
	}
	json_decref(list);
}
END_TEST

static Suite *mcp_tools_suite(void)
{
	Suite *suite = suite_create("mcp_tools");
	TCase *tests = tcase_create("tools");
	tcase_add_test(tests, calls_become_command_lines);
	tcase_add_test(tests, arguments_of_another_kind_are_refused);
	tcase_add_test(tests, command_lines_have_a_limit);
	tcase_add_test(tests, each_tool_is_described);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(mcp_tools_suite());
}
