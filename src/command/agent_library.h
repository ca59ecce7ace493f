/*
 * agent_library.h: where the agent's library is.
 */
#ifndef HPROF_COMMAND_AGENT_LIBRARY_H
#define HPROF_COMMAND_AGENT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Finds it beside the command or in ../lib. False with a message said. */
bool agent_library_find(char *path, size_t size);

#endif
