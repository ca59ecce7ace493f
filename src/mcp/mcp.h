/*
 * mcp.h: a server of the Model Context Protocol, which lets a program (an assistant, an editor) ask
 * for reports of profiles: JSON-RPC 2.0, a message a line, on standard input and output. Each tool
 * runs a subcommand of this command in a process of its own and answers with its --json. One
 * thread; no lock. No network, and no file but those that a caller names.
 */
#ifndef HPROF_MCP_MCP_H
#define HPROF_MCP_MCP_H

#include <stdbool.h>

/* The command whose subcommands tools run. */
struct mcp_command {
	const char *path;
	const char *version;
};

/* False after printing that this build has no server. */
bool mcp_available(void);

/* Answers the messages of standard input until it ends. False after printing an error of the
 * streams. */
bool mcp_serve(const struct mcp_command *command);

#endif
