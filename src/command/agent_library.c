/*
 * agent_library.c: see agent_library.h.
 */
#include "command/agent_library.h"

#include "console/messages.h"

#include <stdio.h>
#include <string.h>

#ifndef HPROF_LIBRARY_PLACE
#define HPROF_LIBRARY_PLACE "../lib/"
#endif

bool agent_library_find(char *path, size_t size)
{
	static const char *const places[] = {"", HPROF_LIBRARY_PLACE};
	int error = os_library_path(path, size);
	size_t directory = error == 0 ? os_path_directory_length(path) : 0;

	if (error != 0) {
		console_print("can't find the path of this command: %s",
		              console_reason(error).text);
		return false;
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int length = snprintf(path + directory, size - directory, "%s%s", places[i],
		                      os_library_name());
		if (length > 0 && (size_t)length < size - directory && os_file_length(path) > 0)
			return true;
	}
	path[directory] = '\0';
	console_print("no %s in %s or its " HPROF_LIBRARY_PLACE "; install it beside this command",
	              os_library_name(), console_shown(path).text);
	return false;
}
