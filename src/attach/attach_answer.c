/*
 * attach_answer.c: see attach_answer.h.
 *
 * A JVM answers with a line that has its own code, 0 if it has carried out the request. After it
 * comes what the agent returned, as "return code: N" or, before JDK 9, as N alone; or text. jcmd
 * prints the number of the process and a colon, and then the same without the code.
 */
#include "attach/attach_answer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 512 };

/* The next line, cut to size, without its end; false at the end. */
static bool next_line(const char **at, char line[LINE_BYTES])
{
	size_t length = strcspn(*at, "\r\n");
	size_t kept = length < LINE_BYTES - 1 ? length : LINE_BYTES - 1;

	if (**at == '\0')
		return false;
	memcpy(line, *at, kept);
	line[kept] = '\0';
	*at += length;
	*at += strspn(*at, "\r\n");
	return true;
}

static bool is_number(const char *line)
{
	line += line[0] == '-' ? 1 : 0;
	return line[0] != '\0' && line[strspn(line, "0123456789")] == '\0';
}

/* The code that the agent returned, as text; NULL if the line has none. */
static const char *code_in(const char *line, bool is_second)
{
	static const char mark[] = "return code: ";
	const char *code = line;

	if (strncmp(line, mark, sizeof(mark) - 1) == 0)
		code += sizeof(mark) - 1;
	else if (!is_second)
		return NULL;
	return is_number(code) ? code : NULL;
}

static bool has_no_reason(const char *line, uint64_t pid, bool is_first)
{
	char number[32];
	(void)snprintf(number, sizeof(number), "%llu:", (unsigned long long)pid);
	return (is_first && is_number(line)) || strcmp(line, number) == 0;
}

enum attach_verdict attach_answer_judge(const char *answer, uint64_t pid, char *text, size_t size)
{
	char line[LINE_BYTES];
	const char *at = answer;
	bool was_zero = false; /* the first line */

	text[0] = '\0';
	for (int i = 0; next_line(&at, line); i++) {
		const char *code = i > 0 ? code_in(line, i == 1 && was_zero) : NULL;
		if (code != NULL)
			return strcmp(code, "0") == 0 ? ATTACH_LOADED : ATTACH_AGENT_REFUSED;
		was_zero = i == 0 && strcmp(line, "0") == 0;
		/* A stack trace is indented. */
		if (has_no_reason(line, pid, i == 0) || isspace((unsigned char)line[0]))
			continue;
		size_t used = strlen(text);
		(void)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", line);
	}
	return ATTACH_JVM_REFUSED;
}
