/*
 * attach_explain.h: the lines that say why a JVM can't be attached to, and what to do.
 */
#ifndef HPROF_COMMAND_ATTACH_EXPLAIN_H
#define HPROF_COMMAND_ATTACH_EXPLAIN_H

#include "os/os.h"

/* Prints why process pid could not be reached. Returns the exit code. */
int attach_explain(uint64_t pid, const char *library, const struct os_attach *attach);

#endif
