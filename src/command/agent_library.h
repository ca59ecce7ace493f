/*
 * agent_library.h: finds the library of the agent.
 */
#ifndef HPROF_COMMAND_AGENT_LIBRARY_H
#define HPROF_COMMAND_AGENT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The path of the library, beside the command or in HPROF_LIBRARY_PLACE (the Makefile's LIBDIR,
 * relative to the command: ../lib/ by default), goes to path. False after printing an error. */
bool agent_library_find(char *path, size_t size);

#endif
