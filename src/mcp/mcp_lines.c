/*
 * mcp_lines.c: see mcp_lines.h.
 */
#include "mcp/mcp_lines.h"

#include <stdlib.h>
#include <string.h>

static bool add(struct mcp_lines *lines, const char *bytes, size_t length)
{
	if (lines->is_too_long || length > MCP_LINE_MAX - lines->length) {
		lines->is_too_long = true;
		lines->length = 0;
		return true;
	}
	if (length > lines->capacity - lines->length) {
		size_t capacity = 2 * (lines->length + length);
		char *line = realloc(lines->line, capacity);
		if (line == NULL) {
			lines->error = OS_NO_MEMORY;
			return false;
		}
		lines->line = line;
		lines->capacity = capacity;
	}
	if (length > 0)
		memcpy(lines->line + lines->length, bytes, length);
	lines->length += length;
	return true;
}

/* Reads more of the stream. False at its end or after an error. */
static bool read_more(struct mcp_lines *lines)
{
	lines->read_at = 0;
	lines->read_length = 0;
	lines->error =
	        os_file_read(lines->file, lines->read, sizeof(lines->read), &lines->read_length);
	return lines->error == 0 && lines->read_length > 0;
}

bool mcp_lines_next(struct mcp_lines *lines)
{
	bool any = false;

	lines->length = 0;
	lines->is_too_long = false;
	for (;;) {
		if (lines->read_at == lines->read_length && !read_more(lines))
			return lines->error == 0 && any;
		any = true;
		const char *from = lines->read + lines->read_at;
		size_t held = lines->read_length - lines->read_at;
		const char *end = memchr(from, '\n', held);
		size_t length = end == NULL ? held : (size_t)(end - from);
		lines->read_at += length + (end != NULL);
		if (!add(lines, from, length))
			return false;
		if (end != NULL)
			return true;
	}
}

void mcp_lines_free(struct mcp_lines *lines)
{
	free(lines->line);
}
