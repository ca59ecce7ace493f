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

static bool out_of_memory(struct mcp_error *error)
{
	return mcp_fail(error, MCP_INTERNAL_ERROR, "out of memory");
}

/* The document after the messages; NULL if there is none. */
static const char *find_document(const char *printed)
{
	while (printed != NULL && printed[0] != '{') {
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

/* The first message, without "hprof: ". */
static void fail_with_message(struct mcp_error *error, const char *printed)
{
	static const char begins[] = "hprof: ";
	const char *from =
	        strncmp(printed, begins, strlen(begins)) == 0 ? printed + strlen(begins) : printed;
	size_t length = strcspn(from, "\n");

	if (length == 0)
		(void)mcp_fail(error, MCP_FAILED, "the subcommand failed");
	else
		(void)mcp_fail(error, MCP_FAILED, "%.*s",
		               (int)(length < MCP_ERROR_MAX ? length : MCP_ERROR_MAX), from);
}

/* Whether a report was printed for a reason that its document does not have: it has that the file
 * was read in part, and what a comparison found. */
static bool is_failure(const json_t *document, int exit_code)
{
	const json_t *profile = json_object_get(document, "profile");

	return exit_code != 0 && json_is_true(json_object_get(profile, "is_whole"));
}

/* ---- answers ------------------------------------------------------------------------ */

/* Takes ownership of the values, NULL when out of memory; so is the answer then. */
static json_t *answer(json_t *text, json_t *structured, bool is_error)
{
	json_t *result = json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text", text,
	                           "isError", is_error);

	if (json_object_set_new(result, "structuredContent", structured) == 0)
		return result;
	json_decref(result);
	return NULL;
}

static json_t *answer_report(const char *printed, int exit_code, struct mcp_error *error)
{
	const char *document = find_document(printed);
	json_t *structured = document == NULL ? NULL : json_loads(document, 0, NULL);

	if (structured == NULL || is_failure(structured, exit_code)) {
		json_decref(structured);
		fail_with_message(error, printed);
		return NULL;
	}
	json_t *result = answer(json_stringn(document, strcspn(document, "\n")), structured, false);
	if (result == NULL)
		(void)out_of_memory(error);
	return result;
}

static json_t *answer_run(const char *printed, int exit_code, struct mcp_error *error)
{
	json_t *result = answer(mcp_text(printed, strlen(printed)),
	                        json_pack("{s:i}", "exit_code", exit_code), exit_code != 0);

	if (result == NULL)
		(void)out_of_memory(error);
	return result;
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
	if (!mcp_tool_reports(tool))
		return answer_run(printed, exit_code, error);
	if (strlen(printed) == MCP_RESULT_MAX - 1) {
		(void)mcp_fail(error, MCP_FAILED,
		               "the report has more than %d bytes; ask for fewer "
		               "rows",
		               MCP_RESULT_MAX - 1);
		return NULL;
	}
	return answer_report(printed, exit_code, error);
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
		(void)out_of_memory(error);
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
