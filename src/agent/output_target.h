/*
 * output_target.h: opens the output that file= or net= names. No state; any thread.
 */
#ifndef HPROF_AGENT_OUTPUT_TARGET_H
#define HPROF_AGENT_OUTPUT_TARGET_H

#include "options/settings.h"
#include "output/sink.h"

#include <stddef.h>

/* Writes the name of the output file into name: that of file= or the default, with %p (process
 * id), %t (local time at wall_ms) and %% replaced. False when it does not fit. */
bool output_target_file_name(const struct settings *settings, uint64_t pid, int64_t wall_ms,
                             char *name, size_t size);

/* Opens the file, compressed if its name ends in .gz, or connects. With force=n an existing file
 * is kept and the first free name of name.1, name.2 ... is created. The caller owns the sink and,
 * with net=, a reference to the connection *link, else NULL. name receives the file name or
 * address, for messages. NULL, with one line for the user in error, on failure. */
struct sink *output_target_open(const struct settings *settings, char *name, size_t name_size,
                                struct net_link **link, char *error, size_t error_size);

/* Writes "can't WHAT NAME: REASON; ADVICE" into error: name as it can be shown, the reason from a
 * code of os.h. */
void output_target_explain(char *error, size_t error_size, const char *what, const char *name,
                           int code, const char *advice);

#endif
