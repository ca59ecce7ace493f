/*
 * host_library.h: how a JVM of this system loads a library. One file for each kind
 * of system has it.
 */
#ifndef HPROF_TESTS_HOST_LIBRARY_H
#define HPROF_TESTS_HOST_LIBRARY_H

/* NULL, with the reason on stderr, when it can't be loaded. */
void *host_library_load(const char *path);

/* The program's arguments in UTF-8, whatever the system's own form is. */
char **host_library_arguments(int *count, char **arguments);

/* NULL when the library exports no such symbol. */
void *host_library_symbol(void *library, const char *name);

#endif
