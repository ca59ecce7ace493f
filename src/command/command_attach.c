/*
 * command_attach.c: `hprof attach`: has a JVM that runs load the agent, by the jcmd of a JDK.
 * That gives its arguments to the JVM as one line, in which quotes keep what is between
 * them together and nothing escapes a quote.
 */
#include "command/agent_library.h"
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, QUOTED_BYTES = PATH_BYTES + 2, ANSWER_BYTES = 16 * 1024 };

/* ---- the line for the JVM ------------------------------------------------------- */

/* Text in quotes; false, said, when there is no way to write it so. */
static bool quote(const char *text, const char *what, char *quoted, size_t size)
{
	char mark = strchr(text, '"') == NULL ? '"' : '\'';
	bool has_control = false;

	for (const char *at = text; *at != '\0'; at++)
		has_control = has_control || (unsigned char)*at < 0x20;
	if (has_control || strchr(text, mark) != NULL || strlen(text) + 3 > size) {
		command_say("the JVM can't be told %s %s; write one that is shorter, and has no "
		            "control characters and not both kinds of quotes",
		            what, command_shown(text).text);
		return false;
	}
	(void)snprintf(quoted, size, "%c%s%c", mark, text, mark);
	return true;
}

/* ---- jcmd ------------------------------------------------------------------------ */

/* A jcmd that may be there: of JAVA_HOME, beside the program of the process, on the PATH.
 * The process may be another user's, and so may what is beside its program. */
enum place { PLACE_JAVA_HOME, PLACE_PROCESS, PLACE_PATH, PLACES };

static bool jcmd_at(enum place place, uint64_t pid, char *path, size_t size)
{
	const char *home = getenv("JAVA_HOME");

	switch (place) {
	case PLACE_JAVA_HOME:
		return home != NULL && home[0] != '\0' &&
		       (size_t)snprintf(path, size, "%s/bin/jcmd", home) < size;
	case PLACE_PROCESS:
		if (os_process_program(pid, path, size) != 0)
			return false;
		path[os_path_folder_length(path)] = '\0';
		return path[0] != '\0' && strlcat(path, "jcmd", size) < size &&
		       os_program_trusted(path);
	default:
		return strlcpy(path, "jcmd", size) < size;
	}
}

/* Runs the first jcmd that starts; false, said, when none does. */
static bool run_jcmd(uint64_t pid, const char *library, const char *options, char *answer)
{
	char path[PATH_BYTES];
	char number[24];
	const char *arguments[] = {path, number, "JVMTI.agent_load", library, options, NULL};
	int error = 0;
	int exit_code;

	(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)pid);
	for (int place = 0; place < PLACES; place++) {
		if (!jcmd_at((enum place)place, pid, path, sizeof(path)))
			continue;
		error = os_program_run(arguments, answer, ANSWER_BYTES, &exit_code);
		if (error == 0)
			return true;
	}
	command_say("there is no jcmd (%s): not beside the java of process %s, nor on the PATH; "
	            "set JAVA_HOME to a JDK",
	            command_reason(error).text, number);
	return false;
}

/* ---- the answer ------------------------------------------------------------------- */

/* The first line that says something: jcmd begins with the number of the process. */
static void say_answer(uint64_t pid, char *answer)
{
	char number[32];
	(void)snprintf(number, sizeof(number), "%llu:", (unsigned long long)pid);
	const char *end = answer + strlen(answer);
	for (char *line = answer; line < end; line += strlen(line) + 1) {
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] == '\0' || strcmp(line, number) == 0)
			continue;
		command_say("process %llu can't load the agent: %s", (unsigned long long)pid,
		            command_shown(line).text);
		return;
	}
	command_say("process %llu does not answer jcmd", (unsigned long long)pid);
}

static int judge(uint64_t pid, char *answer)
{
	static const char mark[] = "return code: ";
	const char *code = strstr(answer, mark);

	if (code == NULL) {
		say_answer(pid, answer);
		return COMMAND_FAILED;
	}
	code += strlen(mark);
	if (code[0] == '0')
		return COMMAND_DONE;
	return command_failed("the agent refused; its reason is on the standard error of process "
	                      "%llu",
	                      (unsigned long long)pid);
}

static int attach(uint64_t pid, const char *options)
{
	static char library[PATH_BYTES];
	static char quoted_library[QUOTED_BYTES];
	static char quoted_options[QUOTED_BYTES];
	static char answer[ANSWER_BYTES];

	if (!agent_library_find(library, sizeof(library)) ||
	    !quote(library, "the library", quoted_library, sizeof(quoted_library)) ||
	    !quote(options, "the options", quoted_options, sizeof(quoted_options)) ||
	    !run_jcmd(pid, quoted_library, quoted_options, answer))
		return COMMAND_FAILED;
	return judge(pid, answer);
}

int command_attach(int count, char **arguments)
{
	long long pid;

	if (count < 1 || count > 2 || !command_number(arguments[0], 1, INT64_MAX, &pid))
		return command_usage("write hprof attach PID OPTIONS, with the number of a process "
		                     "and OPTIONS such as cpu=samples, or hprof attach PID stop");
	return attach((uint64_t)pid, count == 2 ? arguments[1] : "");
}
