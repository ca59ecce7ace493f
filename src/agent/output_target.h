/*
 * output_target.h: opens what file= or net= names.
 */
#ifndef HPROF_AGENT_OUTPUT_TARGET_H
#define HPROF_AGENT_OUTPUT_TARGET_H

#include "output/sink.h"
#include "profile/settings.h"

#include <stddef.h>

/* Writes the file's name into name: the default when none was given, with %p
 * (process id), %t (local time at wall_ms) and %% replaced. False when it does not
 * fit. */
bool output_target_file_name(const struct settings *settings, uint64_t pid, int64_t wall_ms,
                             char *name, size_t size);

/* Opens the file, whose name may ask for compression by ending in .gz, or connects. With force=n an
 * existing file is left alone and the first free of name.1, name.2 … is made. With net=, *link is
 * the connection, held for the caller, NULL otherwise. name (for messages) is what was opened.
 * NULL, with one line for the user in error, when it can't be had. */
struct sink *output_target_open(const struct settings *settings, char *name, size_t name_size,
                                struct net_link **link, char *error, size_t error_size);

#endif
