/*
 * mcp_call.h: runs the subcommand of a call of a tool, and makes the answer. One thread; no lock.
 */
#ifndef HPROF_MCP_MCP_CALL_H
#define HPROF_MCP_MCP_CALL_H

#include "mcp/mcp.h"
#include "mcp/mcp_tools.h"

/* Of what a subcommand prints. */
enum { MCP_RESULT_MAX = 4 * 1024 * 1024 };

/* The result of tools/call with these params, which may be that the subcommand failed; NULL with an
 * error. */
json_t *mcp_call(const struct mcp_command *command, const json_t *params, struct mcp_error *error);

/* A text of the library for lines of any bytes (utf8_text.h); NULL when out of memory. */
json_t *mcp_text(const char *text, size_t length);

#endif
