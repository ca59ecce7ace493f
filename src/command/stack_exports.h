/*
 * stack_exports.h: the formats of other programs that keep each stack with its lines. One thread;
 * no lock.
 */
#ifndef HPROF_COMMAND_STACK_EXPORTS_H
#define HPROF_COMMAND_STACK_EXPORTS_H

#include "command/profile_format.h"

extern const struct profile_format profile_format_pprof;
extern const struct profile_format profile_format_speedscope;
extern const struct profile_format profile_format_firefox;

#endif
