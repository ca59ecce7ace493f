/*
 * command_run.c: `hprof run`: replaces the command by a JVM with the agent.
 */
#include "command/agent_library.h"
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* Whether the program is java, which accepts JVM options as they are. */
static bool is_java(const char *program)
{
	static const char *const names[] = {"java", "javaw", "java.exe", "javaw.exe"};
	const char *name = program + os_path_directory_length(program);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static int become(const char *option, char **program)
{
	size_t count = 0;
	while (program[count] != NULL)
		count++;
	const char **arguments = calloc(count + 2, sizeof(*arguments));
	if (arguments == NULL)
		return command_failed("out of memory");
	arguments[0] = program[0];
	arguments[1] = option;
	for (size_t i = 1; i < count; i++)
		arguments[i + 1] = program[i];
	int error = os_program_become(arguments);
	free(arguments);
	return command_failed("can't run %s: %s", command_shown(program[0]).text,
	                      command_reason(error).text);
}

static int run(const char *options, char **program)
{
	char path[PATH_BYTES];

	if (!agent_library_find(path, sizeof(path)))
		return COMMAND_FAILED;
	if (strchr(path, '=') != NULL)
		return command_failed("the JVM can't load %s: its path contains '='; install it "
		                      "elsewhere",
		                      command_shown(path).text);
	size_t size = strlen("-agentpath:=") + strlen(path) + strlen(options) + 1;
	char *option = malloc(size);
	if (option == NULL)
		return command_failed("out of memory");
	(void)snprintf(option, size, "-agentpath:%s%s%s", path, options[0] == '\0' ? "" : "=",
	               options);
	int result = become(option, program);
	free(option);
	return result;
}

int command_run(int count, char **arguments)
{
	const char *options = "";
	int dashes = 0;

	if (count > 0 && strcmp(arguments[0], "--") != 0) {
		options = arguments[0];
		dashes = 1;
	}
	if (dashes + 1 >= count || strcmp(arguments[dashes], "--") != 0)
		return command_usage(
		        "write hprof run OPTIONS -- java ARGUMENTS, with OPTIONS such as "
		        "cpu=samples");
	char **program = arguments + dashes + 1;
	if (!is_java(program[0]))
		return command_usage(
		        "%s is not java; for a tool of the JDK add -J-agentpath:..., for "
		        "other programs set JAVA_TOOL_OPTIONS",
		        command_shown(program[0]).text);
	return run(options, program);
}
