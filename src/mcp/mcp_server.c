/*
 * mcp_server.c: see mcp.h. A request has an answer, a line; a notification has none. A batch,
 * an array of these, is answered by one line.
 */
#include "mcp/mcp.h"

#include "base/byte_buffer.h"
#include "console/messages.h"
#include "mcp/mcp_call.h"
#include "mcp/mcp_lines.h"

#include <stdlib.h>
#include <string.h>

/* Versions of the protocol, the newest first: the messages here are the same in all. */
static const char *const protocols[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
enum { PROTOCOLS = sizeof(protocols) / sizeof(protocols[0]) };

struct server {
	const struct mcp_command *command;
	struct os_file output;
	bool is_batch;  /* the answers to one line are an array, a line */
	size_t answers; /* in it so far */
	int error;      /* of the output: 0 or a code of os.h */
};

bool mcp_available(void)
{
	return true;
}

/* ---- methods: the result, or NULL with an error ---------------------------------------- */

static json_t *initialize(const struct server *server, const json_t *params,
                          struct mcp_error *error)
{
	const char *asked = json_string_value(json_object_get(params, "protocolVersion"));
	const char *protocol = protocols[0];

	(void)error;
	for (size_t i = 0; i < PROTOCOLS && asked != NULL; i++) {
		if (strcmp(protocols[i], asked) == 0)
			protocol = protocols[i];
	}
	return json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}}", "protocolVersion", protocol,
	                 "capabilities", "tools", "serverInfo", "name", "hprof", "version",
	                 server->command->version);
}

static json_t *ping(const struct server *server, const json_t *params, struct mcp_error *error)
{
	(void)server;
	(void)params;
	(void)error;
	return json_object();
}

static json_t *list_tools(const struct server *server, const json_t *params,
                          struct mcp_error *error)
{
	(void)server;
	(void)params;
	(void)error;
	return json_pack("{s:o}", "tools", mcp_tools_describe());
}

static json_t *call_tool(const struct server *server, const json_t *params, struct mcp_error *error)
{
	return mcp_call(server->command, params, error);
}

static const struct method {
	const char *name;
	json_t *(*answer)(const struct server *server, const json_t *params,
	                  struct mcp_error *error);
} methods[] = {{"initialize", initialize},
               {"ping", ping},
               {"tools/list", list_tools},
               {"tools/call", call_tool}};
enum { METHODS = sizeof(methods) / sizeof(methods[0]) };

static json_t *result_of(const struct server *server, const char *name, const json_t *params,
                         struct mcp_error *error)
{
	*error = (struct mcp_error){.code = MCP_INTERNAL_ERROR, .text = "out of memory"};
	for (size_t i = 0; i < METHODS; i++) {
		if (strcmp(methods[i].name, name) == 0)
			return methods[i].answer(server, params, error);
	}
	(void)mcp_fail(error, MCP_NO_METHOD,
	               "no such method; there are initialize, ping, tools/list and tools/call");
	return NULL;
}

/* ---- messages -------------------------------------------------------------------------- */

static void write_text(struct server *server, const char *text)
{
	if (server->error == 0)
		server->error = os_file_write(&server->output, text, strlen(text));
}

/* Writes an answer. Takes ownership of message; NULL: there was no memory for it. */
static void send(struct server *server, json_t *message)
{
	char *line = message == NULL ? NULL : json_dumps(message, JSON_COMPACT);

	json_decref(message);
	if (line == NULL) {
		server->error = OS_NO_MEMORY;
		return;
	}
	if (server->is_batch)
		write_text(server, server->answers++ == 0 ? "[" : ",");
	write_text(server, line);
	if (!server->is_batch)
		write_text(server, "\n");
	free(line);
}

/* id is NULL where it is not known. */
static void send_error(struct server *server, json_t *id, const struct mcp_error *error)
{
	send(server,
	     json_pack("{s:s, s:o, s:{s:i, s:o}}", "jsonrpc", "2.0", "id",
	               id == NULL ? json_null() : json_incref(id), "error", "code",
	               (int)error->code, "message", mcp_text(error->text, strlen(error->text))));
}

static void refuse(struct server *server, enum mcp_code code, const char *text)
{
	struct mcp_error error;

	(void)mcp_fail(&error, code, "%s", text);
	send_error(server, NULL, &error);
}

static void answer(struct server *server, json_t *id, const char *method, const json_t *params)
{
	struct mcp_error error;
	json_t *result = result_of(server, method, params, &error);

	if (result == NULL)
		send_error(server, id, &error);
	else
		send(server,
		     json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void take(struct server *server, const json_t *message)
{
	const char *version = json_string_value(json_object_get(message, "jsonrpc"));
	const char *method = json_string_value(json_object_get(message, "method"));
	json_t *id = json_object_get(message, "id");

	if (version == NULL || strcmp(version, "2.0") != 0 || method == NULL)
		refuse(server, MCP_INVALID_REQUEST, "the message is no request of JSON-RPC 2.0");
	else if (id != NULL && !json_is_string(id) && !json_is_integer(id))
		refuse(server, MCP_INVALID_REQUEST, "id is neither a text nor an integer");
	else if (id != NULL)
		answer(server, id, method, json_object_get(message, "params"));
}

/* A version of the protocol has batches. Each answer is written before the next one is made, so
 * that memory use does not grow with their number. */
static void take_batch(struct server *server, const json_t *batch)
{
	size_t count = json_array_size(batch);

	if (count == 0) {
		refuse(server, MCP_INVALID_REQUEST, "the batch is empty");
		return;
	}
	server->is_batch = true;
	server->answers = 0;
	for (size_t i = 0; i < count && server->error == 0; i++)
		take(server, json_array_get(batch, i));
	if (server->answers > 0)
		write_text(server, "]\n");
	server->is_batch = false;
}

static bool is_blank(const struct mcp_lines *lines)
{
	size_t at = 0;
	while (at < lines->length && strchr(" \t\r", lines->line[at]) != NULL)
		at++;
	return at == lines->length;
}

static void take_line(struct server *server, const struct mcp_lines *lines)
{
	if (lines->is_too_long) {
		refuse(server, MCP_INVALID_REQUEST, "the line is longer than 1 MiB");
		return;
	}
	if (is_blank(lines))
		return;
	json_t *message = json_loadb(lines->line, lines->length, JSON_REJECT_DUPLICATES, NULL);
	if (message == NULL)
		refuse(server, MCP_PARSE_ERROR, "the line is no JSON");
	else if (json_is_array(message))
		take_batch(server, message);
	else
		take(server, message);
	json_decref(message);
}

static bool serve_lines(struct server *server, struct mcp_lines *lines)
{
	while (server->error == 0 && mcp_lines_next(lines))
		take_line(server, lines);
	if (server->error == 0)
		server->error = lines->error;
	if (server->error != 0)
		(void)console_failed("the connection is broken: %s",
		                     console_reason(server->error).text);
	return server->error == 0;
}

bool mcp_serve(const struct mcp_command *command)
{
	struct server server = {.command = command};
	struct os_file input;
	int error = os_file_standard(OS_STANDARD_INPUT, &input);

	if (error == 0)
		error = os_file_standard(OS_STANDARD_OUTPUT, &server.output);
	if (error != 0) {
		(void)console_failed("can't read standard input: %s", console_reason(error).text);
		return false;
	}
	struct mcp_lines lines = {.file = &input};
	bool good = serve_lines(&server, &lines);
	mcp_lines_free(&lines);
	return good;
}
