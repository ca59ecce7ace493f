/*
 * mcp_tools.h: the tools of the server: their descriptions, and the command lines that calls of
 * them mean. One thread; no lock.
 */
#ifndef HPROF_MCP_MCP_TOOLS_H
#define HPROF_MCP_MCP_TOOLS_H

#include "os/os.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { MCP_WORDS_MAX = 128, MCP_ERROR_MAX = 512 };

/* Codes of JSON-RPC. */
enum mcp_code {
	MCP_PARSE_ERROR = -32700,
	MCP_INVALID_REQUEST = -32600,
	MCP_NO_METHOD = -32601,
	MCP_INVALID_PARAMETERS = -32602,
	MCP_INTERNAL_ERROR = -32603
};

struct mcp_error {
	enum mcp_code code;
	char text[MCP_ERROR_MAX]; /* UTF-8 */
};

/* Sets the error. False. */
bool mcp_fail(struct mcp_error *error, enum mcp_code code, const char *format, ...)
        __attribute__((format(OS_PRINTF_ARCHETYPE, 3, 4)));

/* The arguments of a subcommand. */
struct mcp_words {
	const char *words[MCP_WORDS_MAX + 1]; /* a NULL ends them */
	size_t count;
	char numbers[MCP_WORDS_MAX][24]; /* the texts of those that are numbers */
};

struct mcp_tool;

/* An array of all tools as tools/list has them; NULL when out of memory. */
json_t *mcp_tools_describe(void);

/* NULL if there is none of that name. */
const struct mcp_tool *mcp_tool_find(const char *name);

/* Whether the tool answers with the JSON of a report, not with the text of a run. */
bool mcp_tool_reports(const struct mcp_tool *tool);

/* Adds the subcommand and its arguments for a call with these values, an object, to words. They
 * are those of values, which must outlive them. False with an error: what is wrong with them. */
bool mcp_tool_words(const struct mcp_tool *tool, const json_t *values, struct mcp_words *words,
                    struct mcp_error *error);

#endif
