/*
 * command_mcp.c: `hprof mcp`.
 */
#include "command/command.h"
#include "mcp/mcp.h"

enum { PATH_BYTES = 4096 };

int command_mcp(int count, char **arguments)
{
	char path[PATH_BYTES];

	(void)arguments;
	if (count > 0)
		return console_usage("hprof mcp takes no argument; it answers requests on "
		                     "standard input");
	if (!mcp_available())
		return EXIT_USAGE;
	int error = os_library_path(path, sizeof(path));
	if (error != 0)
		return console_failed("can't find the path of this command: %s",
		                      console_reason(error).text);
	const struct mcp_command command = {.path = path, .version = HPROF_VERSION};
	return mcp_serve(&command) ? EXIT_DONE : EXIT_FAILED;
}
