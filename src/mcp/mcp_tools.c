/*
 * mcp_tools.c: see mcp_tools.h. A table lists tools and their parameters; descriptions, checks and
 * command lines are made from it.
 */
#include "mcp/mcp_tools.h"

#include "os/os.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PARAMETERS_MAX = 8, ROWS_MAX = 1000 };

enum value_kind {
	VALUE_TEXT,   /* any, after its option */
	VALUE_FILE,   /* a name that can't be taken for an option */
	VALUE_NUMBER, /* from 0 to most */
	VALUE_FLAG,   /* true: the option alone */
	VALUE_WORDS   /* each after the option; without one, all after -- */
};

struct parameter {
	const char *name; /* NULL: the last one */
	enum value_kind kind;
	const char *option; /* NULL: none */
	bool is_required;
	long least; /* of a number */
	long most;
	const char *description;
};

struct mcp_tool {
	const char *name;
	const char *description;
	const char *start[6]; /* of the command line */
	struct parameter parameters[PARAMETERS_MAX];
};

#define PROFILE                                                                     \
	{                                                                           \
		"profile", VALUE_FILE, NULL, true, 0, 0, "name of a profile's file" \
	}
#define TOP                                                                            \
	{                                                                              \
		"top", VALUE_NUMBER, "--top", false, 1, ROWS_MAX, "rows of each table" \
	}
#define OF                                                                                  \
	{                                                                                   \
		"of", VALUE_TEXT, "--of", false, 0, 0,                                      \
		        "kind of cost: samples, times, off-cpu, sites, monitors or a state" \
	}
#define FILTER                                                               \
	{                                                                    \
		"filter", VALUE_TEXT, "--filter", false, 0, 0,               \
		        "regular expression: keep stacks with such a method" \
	}
#define IGNORE                                                                    \
	{                                                                         \
		"ignore", VALUE_TEXT, "--ignore", false, 0, 0,                    \
		        "regular expression: leave out stacks with such a method" \
	}

/* Of two parameters the one that ends the command line comes last. */
static const struct mcp_tool tools[] = {
        {"run",
         "Profile a Java program from its start to its end into a new file.",
         {"run"},
         {{"mode", VALUE_TEXT, "-e", false, 0, 0, "what is profiled; hprof help run lists modes"},
          {"output", VALUE_FILE, "-o", true, 0, 0, "name of the new file, as a.txt or a.hprof"},
          {"command", VALUE_WORDS, NULL, true, 0, 0, "the command line: java and its arguments"}}},
        {"hot_methods",
         "The methods (or lines, classes, packages, threads) that cost most: self and total.",
         {"report", "--json", "--by", "method"},
         {{"by", VALUE_TEXT, "--by", false, 0, 0, "method, line, class, package or thread"},
          TOP,
          OF,
          FILTER,
          IGNORE,
          PROFILE}},
        {"tree",
         "The tree of calls, whole or below a method, callers above their callees, as rows with a "
         "depth.",
         {"report", "--json", "--tree"},
         {{"below", VALUE_TEXT, "--below", false, 0, 0,
           "regular expression: begin each stack with its outermost such method"},
          {"inverted", VALUE_FLAG, "--inverted", false, 0, 0,
           "a tree of callers: each innermost method above its callers"},
          {"min", VALUE_NUMBER, "--min", false, 0, 100, "smallest share of a row, in percent"},
          {"threads", VALUE_FLAG, "--threads", false, 0, 0, "begin stacks with their thread"},
          OF,
          FILTER,
          IGNORE,
          PROFILE}},
        {"sites",
         "Where objects are allocated: live and allocated bytes and objects by stack.",
         {"report", "--json", "--traces", "--of", "sites"},
         {TOP, FILTER, IGNORE, PROFILE}},
        {"states",
         "Where the time of calls went by state (CPU, locks, sleep, I/O), with the methods.",
         {"report", "--json", "--by", "state"},
         {TOP, FILTER, IGNORE, PROFILE}},
        {"diff",
         "What changed between two profiles, by method and by stack.",
         {"diff", "--json"},
         {{"of", VALUE_TEXT, "--of", false, 0, 0,
           "kind of cost: samples, times, calls, off-cpu, sites, monitors, heap, "
           "states, or a state as lck"},
          {"normalize", VALUE_FLAG, "--normalize", false, 0, 0, "scale old values to one total"},
          TOP,
          {"old", VALUE_FILE, NULL, true, 0, 0, "name of the old profile's file"},
          {"new", VALUE_FILE, NULL, true, 0, 0, "name of the new profile's file"}}},
        {"verdict",
         "Whether a program calls or allocates more than in a baseline, by context.",
         {"check", "--json"},
         {{"budget", VALUE_TEXT, "--budget", false, 0, 0, "name of a file of budgets"},
          {"classes", VALUE_WORDS, "--classes", false, 0, 0, "patterns of the program's classes"},
          TOP,
          {"old", VALUE_FILE, "--baseline", true, 0, 0, "name of the baseline's file"},
          {"new", VALUE_FILE, NULL, true, 0, 0, "name of the new profile's file"}}},
};
enum { TOOLS = sizeof(tools) / sizeof(tools[0]) };

bool mcp_fail(struct mcp_error *error, enum mcp_code code, const char *format, ...)
{
	va_list arguments;

	error->code = code;
	va_start(arguments, format);
	(void)vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return false;
}

const struct mcp_tool *mcp_tool_find(const char *name)
{
	for (size_t i = 0; i < TOOLS; i++) {
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	}
	return NULL;
}

bool mcp_tool_reports(const struct mcp_tool *tool)
{
	return strcmp(tool->start[0], "run") != 0;
}

/* ---- descriptions ------------------------------------------------------------------- */

static json_t *describe_parameter(const struct parameter *parameter)
{
	switch (parameter->kind) {
	case VALUE_NUMBER:
		return json_pack("{s:s, s:s, s:i, s:i}", "type", "integer", "description",
		                 parameter->description, "minimum", (int)parameter->least,
		                 "maximum", (int)parameter->most);
	case VALUE_FLAG:
		return json_pack("{s:s, s:s}", "type", "boolean", "description",
		                 parameter->description);
	case VALUE_WORDS:
		return json_pack("{s:s, s:s, s:{s:s}}", "type", "array", "description",
		                 parameter->description, "items", "type", "string");
	default:
		return json_pack("{s:s, s:s}", "type", "string", "description",
		                 parameter->description);
	}
}

static json_t *describe_tool(const struct mcp_tool *tool)
{
	json_t *properties = json_object();
	json_t *required = json_array();
	int failed = 0;

	for (const struct parameter *at = tool->parameters;
	     at < tool->parameters + PARAMETERS_MAX && at->name != NULL; at++) {
		failed |= json_object_set_new(properties, at->name, describe_parameter(at));
		if (at->is_required)
			failed |= json_array_append_new(required, json_string(at->name));
	}
	json_t *description =
	        json_pack("{s:s, s:s, s:{s:s, s:o, s:o, s:b}}", "name", tool->name, "description",
	                  tool->description, "inputSchema", "type", "object", "properties",
	                  properties, "required", required, "additionalProperties", 0);
	if (failed == 0)
		return description;
	json_decref(description);
	return NULL;
}

json_t *mcp_tools_describe(void)
{
	json_t *list = json_array();
	int failed = list == NULL;

	for (size_t i = 0; i < TOOLS && failed == 0; i++)
		failed = json_array_append_new(list, describe_tool(&tools[i]));
	if (failed == 0)
		return list;
	json_decref(list);
	return NULL;
}

/* ---- command lines ------------------------------------------------------------------ */

static bool add_word(struct mcp_words *words, const char *word, struct mcp_error *error)
{
	if (words->count == MCP_WORDS_MAX)
		return mcp_fail(error, MCP_INVALID_PARAMETERS, "more than %d words", MCP_WORDS_MAX);
	words->words[words->count++] = word;
	words->words[words->count] = NULL;
	return true;
}

static bool add_option(struct mcp_words *words, const char *option, const char *value,
                       struct mcp_error *error)
{
	return (option == NULL || add_word(words, option, error)) && add_word(words, value, error);
}

static bool add_text(const struct parameter *parameter, const json_t *value,
                     struct mcp_words *words, struct mcp_error *error)
{
	const char *text = json_string_value(value);

	if (text == NULL || text[0] == '\0')
		return mcp_fail(error, MCP_INVALID_PARAMETERS, "%s is no text", parameter->name);
	if (parameter->kind == VALUE_FILE && text[0] == '-')
		return mcp_fail(error, MCP_INVALID_PARAMETERS,
		                "%s begins with -; write ./ before it", parameter->name);
	return add_option(words, parameter->option, text, error);
}

static bool add_number(const struct parameter *parameter, const json_t *value,
                       struct mcp_words *words, struct mcp_error *error)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < parameter->least || number > parameter->most)
		return mcp_fail(error, MCP_INVALID_PARAMETERS, "%s is no integer from %ld to %ld",
		                parameter->name, parameter->least, parameter->most);
	if (words->count + 1 >= MCP_WORDS_MAX)
		return mcp_fail(error, MCP_INVALID_PARAMETERS, "more than %d words", MCP_WORDS_MAX);
	char *text = words->numbers[words->count];
	(void)snprintf(text, sizeof(words->numbers[0]), "%ld", (long)number);
	return add_option(words, parameter->option, text, error);
}

static bool add_flag(const struct parameter *parameter, const json_t *value,
                     struct mcp_words *words, struct mcp_error *error)
{
	if (!json_is_boolean(value))
		return mcp_fail(error, MCP_INVALID_PARAMETERS, "%s is neither true nor false",
		                parameter->name);
	return json_is_false(value) || add_word(words, parameter->option, error);
}

static bool add_words(const struct parameter *parameter, const json_t *value,
                      struct mcp_words *words, struct mcp_error *error)
{
	bool good = parameter->option != NULL || add_word(words, "--", error);
	size_t count = json_array_size(value);

	if (!json_is_array(value) || (parameter->is_required && count == 0))
		return mcp_fail(error, MCP_INVALID_PARAMETERS, "%s is no list of texts",
		                parameter->name);
	for (size_t i = 0; i < count && good; i++) {
		const char *word = json_string_value(json_array_get(value, i));
		good = word == NULL ? mcp_fail(error, MCP_INVALID_PARAMETERS,
		                               "%s is no list of texts", parameter->name)
		                    : add_option(words, parameter->option, word, error);
	}
	return good;
}

static bool add_value(const struct parameter *parameter, const json_t *value,
                      struct mcp_words *words, struct mcp_error *error)
{
	if (value == NULL)
		return !parameter->is_required ||
		       mcp_fail(error, MCP_INVALID_PARAMETERS, "%s is missing", parameter->name);
	switch (parameter->kind) {
	case VALUE_NUMBER:
		return add_number(parameter, value, words, error);
	case VALUE_FLAG:
		return add_flag(parameter, value, words, error);
	case VALUE_WORDS:
		return add_words(parameter, value, words, error);
	default:
		return add_text(parameter, value, words, error);
	}
}

bool mcp_tool_words(const struct mcp_tool *tool, const json_t *values, struct mcp_words *words,
                    struct mcp_error *error)
{
	size_t known = 0;
	bool good = true;

	for (const char *const *word = tool->start; *word != NULL && good; word++)
		good = add_word(words, *word, error);
	for (const struct parameter *at = tool->parameters;
	     at < tool->parameters + PARAMETERS_MAX && at->name != NULL && good; at++) {
		const json_t *value = json_object_get(values, at->name);
		known += value != NULL;
		good = add_value(at, value, words, error);
	}
	if (good && known < json_object_size(values))
		return mcp_fail(error, MCP_INVALID_PARAMETERS,
		                "%s has no such argument; tools/list "
		                "has those it has",
		                tool->name);
	return good;
}
