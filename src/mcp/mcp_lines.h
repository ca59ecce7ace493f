/*
 * mcp_lines.h: the lines of a stream, with a limit of their length. One thread; no lock.
 */
#ifndef HPROF_MCP_MCP_LINES_H
#define HPROF_MCP_MCP_LINES_H

#include "os/os.h"

#include <stdbool.h>
#include <stddef.h>

enum { MCP_LINE_MAX = 1024 * 1024, MCP_READ_BYTES = 16 * 1024 };

/* All zeros, except the file, at the beginning. */
struct mcp_lines {
	struct os_file *file;
	char read[MCP_READ_BYTES]; /* what follows the line */
	size_t read_at;
	size_t read_length;
	char *line; /* without its end; not terminated */
	size_t length;
	size_t capacity;
	bool is_too_long; /* the line is longer than MCP_LINE_MAX; its bytes are dropped */
	int error;        /* 0 at the end of the stream, or a code of os.h */
};

/* Reads the next line; the last one need not be ended. False at the end or after an error. */
bool mcp_lines_next(struct mcp_lines *lines);
void mcp_lines_free(struct mcp_lines *lines);

#endif
