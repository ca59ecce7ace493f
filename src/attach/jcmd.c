/*
 * jcmd.c: see jcmd.h. One thread; no lock.
 *
 * Only the jcmd chosen by the caller is run, never one found through the target process, which
 * may belong to another user. jcmd passes its arguments to the JVM as one line, in which quotes
 * group words and no character escapes a quote.
 */
#include "attach/jcmd.h"

#include "console/messages.h"
#include "os/os_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, QUOTED_BYTES = PATH_BYTES + 2 };

/* Puts text in quotes. False, after printing an error, when that is impossible. */
static bool quote(const char *text, const char *what, char *quoted, size_t size)
{
	char mark = strchr(text, '"') == NULL ? '"' : '\'';
	bool has_control = false;

	for (const char *at = text; *at != '\0'; at++)
		has_control = has_control || (unsigned char)*at < 0x20;
	if (has_control || strchr(text, mark) != NULL || strlen(text) + 3 > size) {
		console_print("jcmd can't pass %s %s: too long, or with control characters or both "
		              "kinds of quotes; write another",
		              what, console_shown(text).text);
		return false;
	}
	(void)snprintf(quoted, size, "%c%s%c", mark, text, mark);
	return true;
}

/* The path of jcmd. False when it does not fit. */
static bool find(char *path, size_t size)
{
	const char *home = getenv("JAVA_HOME");

	if (home == NULL || home[0] == '\0')
		return strlcpy(path, "jcmd", size) < size;
	return (size_t)snprintf(path, size, "%s/bin/jcmd", home) < size;
}

bool jcmd_load(uint64_t pid, const char *library, const char *options, char *answer, size_t size)
{
	static char path[PATH_BYTES];
	static char quoted_library[QUOTED_BYTES];
	static char quoted_options[QUOTED_BYTES];
	char number[24];
	const char *arguments[] = {path,           number,         "JVMTI.agent_load",
	                           quoted_library, quoted_options, NULL};
	int exit_code;

	if (!quote(library, "the library", quoted_library, sizeof(quoted_library)) ||
	    !quote(options, "the options", quoted_options, sizeof(quoted_options)))
		return false;
	(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)pid);
	int error = find(path, sizeof(path)) ? os_program_run(arguments, answer, size, &exit_code)
	                                     : OS_TOO_LARGE;
	if (error != 0)
		console_print("can't run %s: %s; set JAVA_HOME to a JDK, or put its bin directory "
		              "on the PATH",
		              console_shown(path).text, console_reason(error).text);
	return error == 0;
}
