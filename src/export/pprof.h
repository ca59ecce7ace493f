/*
 * pprof.h: the stacks of a profile in the format that pprof reads. One thread; no lock.
 */
#ifndef HPROF_EXPORT_PPROF_H
#define HPROF_EXPORT_PPROF_H

#include "console/output.h"
#include "export/stack_profile.h"

/* Whether this build has the protobuf library that the format requires. */
extern const bool pprof_is_available;

/* Writes a profile.proto, compressed with gzip. Each kind has sample types of its own, and the
 * samples of other kinds have zeros there. False when out of memory or the output failed. */
bool stack_profile_write_pprof(const struct stack_profile *stacks, struct output *output);

#endif
