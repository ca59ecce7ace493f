/*
 * without_json.c: mcp.h for a build without the JSON library.
 */
#include "mcp/mcp.h"

#include "console/messages.h"

bool mcp_available(void)
{
	(void)console_usage("hprof mcp is unavailable: this hprof was built without jansson; build "
	                    "it with the library");
	return false;
}

bool mcp_serve(const struct mcp_command *command)
{
	(void)command;
	return false;
}
