/*
 * start_line.h: the line that verbose=y prints when profiling begins.
 */
#ifndef HPROF_AGENT_START_LINE_H
#define HPROF_AGENT_START_LINE_H

#include "options/settings.h"

#include <stddef.h>

/* Writes into line what is profiled and where the output goes, such as
 * "profiling cpu=samples every 10 ms to java.hprof.txt"; cut off if it does not fit. Pure; any
 * thread. */
void start_line_format(const struct settings *settings, const char *output_name, char *line,
                       size_t size);

#endif
