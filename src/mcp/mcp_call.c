/*
 * mcp_call.c: see mcp_call.h. A subcommand prints messages, lines that begin with "hprof: ", and
 * then its document, which is one line.
 */
#include "mcp/mcp_call.h"

#include "base/byte_buffer.h"
#include "console/messages.h"
#include "export/utf8_text.h"
#include "os/os_programs.h"

#include <stdlib.h>
#include <string.h>

/* The first line with that beginning; NULL if there is none. */
static const char *find_line(const char *printed, const char *begins)
{
	while (printed != NULL && strncmp(printed, begins, strlen(begins)) != 0) {
		const char *end = strchr(printed, '\n');
		printed = end == NULL ? NULL : end + 1;
	}
	return printed;
}

json_t *mcp_text(const char *text, size_t length)
{
	struct byte_buffer out;

	byte_buffer_init(&out);
	for (const char *at = text; at < text + length;) {
		const char *end = memchr(at, '\n', (size_t)(text + length - at));
		size_t line = (size_t)((end == NULL ? text + length : end) - at);
		utf8_add_text(&out, at, line);
		if (end != NULL)
			byte_buffer_add_u1(&out, '\n');
		at += line + (end != NULL);
	}
	const char *bytes = out.length == 0 ? "" : (const char *)out.bytes;
	json_t *value = out.error != 0 ? NULL : json_stringn(bytes, out.length);
	byte_buffer_free(&out);
	return value;
}

/* Whether a report was printed for a reason that its document does not have: it has that the file
 * was read in part, and what a comparison found. */
static bool is_failure(const json_t *document, int exit_code)
{
	const json_t *profile = json_object_get(document, "profile");

	return exit_code != 0 && json_is_true(json_object_get(profile, "is_whole"));
}

/* ---- answers ------------------------------------------------------------------------ */

/* Takes ownership of the text, NULL when out of memory; so is the answer then. */
static json_t *answer(json_t *text, bool is_error)
{
	return json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text", text,
	                 "isError", is_error);
}

/* The same with the values, which it takes ownership of, too. */
static json_t *answer_with(json_t *text, json_t *structured, bool is_error)
{
	json_t *result = answer(text, is_error);

	if (json_object_set_new(result, "structuredContent", structured) == 0)
		return result;
	json_decref(result);
	return NULL;
}

/* Fails the call, not the request: a model sees the first message and can ask for something
 * else. */
static json_t *answer_failure(const char *printed)
{
	static const char begins[] = "hprof: ";
	const char *message = find_line(printed, begins);

	if (message == NULL)
		return answer(json_string("the subcommand failed"), true);
	message += strlen(begins);
	return answer(mcp_text(message, strcspn(message, "\n")), true);
}

static json_t *answer_report(const char *printed, int exit_code)
{
	const char *document = find_line(printed, "{");

	if (document == NULL)
		return answer_failure(printed);
	size_t length = strcspn(document, "\n");
	json_t *structured = json_loadb(document, length, 0, NULL);
	if (structured == NULL || !is_failure(structured, exit_code))
		return answer_with(json_stringn(document, length), structured, false);
	json_decref(structured);
	return answer_failure(printed);
}

static json_t *answer_run(const char *printed, int exit_code)
{
	return answer_with(mcp_text(printed, strlen(printed)),
	                   json_pack("{s:i}", "exit_code", exit_code), exit_code != 0);
}

static json_t *answer_call(const struct mcp_tool *tool, const char *printed, int exit_code)
{
	if (!mcp_tool_reports(tool))
		return answer_run(printed, exit_code);
	if (strlen(printed) == MCP_RESULT_MAX - 1)
		return answer_failure("hprof: the report has more than 4 MiB; ask for fewer rows");
	return answer_report(printed, exit_code);
}

/* ---- the call ----------------------------------------------------------------------- */

static json_t *run_words(const struct mcp_tool *tool, const struct mcp_words *words, char *printed,
                         struct mcp_error *error)
{
	int exit_code = 0;
	int reason = os_program_run(words->words, printed, MCP_RESULT_MAX, &exit_code);

	if (reason != 0) {
		(void)mcp_fail(error, MCP_INTERNAL_ERROR, "can't run hprof: %s",
		               console_reason(reason).text);
		return NULL;
	}
	json_t *result = answer_call(tool, printed, exit_code);
	if (result == NULL)
		(void)mcp_fail(error, MCP_INTERNAL_ERROR,
		               "out of memory, or the subcommand ended before its report");
	return result;
}

json_t *mcp_call(const struct mcp_command *command, const json_t *params, struct mcp_error *error)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	const struct mcp_tool *tool = name == NULL ? NULL : mcp_tool_find(name);
	const json_t *values = json_object_get(params, "arguments");
	struct mcp_words *words = calloc(1, sizeof(*words));
	char *printed = malloc(MCP_RESULT_MAX);
	json_t *result = NULL;

	if (words == NULL || printed == NULL) {
		(void)mcp_fail(error, MCP_INTERNAL_ERROR, "out of memory");
	} else if (tool == NULL || (values != NULL && !json_is_object(values))) {
		(void)mcp_fail(error, MCP_INVALID_PARAMETERS,
		               tool == NULL ? "no such tool; tools/list has those there are"
		                            : "arguments is no object");
	} else {
		words->words[words->count++] = command->path;
		if (mcp_tool_words(tool, values, words, error))
			result = run_words(tool, words, printed, error);
	}
	free(words);
	free(printed);
	return result;
}
