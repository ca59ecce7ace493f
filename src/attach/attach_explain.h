/*
 * attach_explain.h: the lines that say why a JVM can't be attached to, and what to do.
 */
#ifndef HPROF_ATTACH_ATTACH_EXPLAIN_H
#define HPROF_ATTACH_ATTACH_EXPLAIN_H

#include "attach/attach_result.h"

/* Prints why process pid could not be reached. Returns the exit code. */
int attach_explain(uint64_t pid, const char *library, const struct attach_result *attach);

#endif
