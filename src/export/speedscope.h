/*
 * speedscope.h: the stacks of a profile in the JSON format of speedscope. One thread; no lock.
 */
#ifndef HPROF_EXPORT_SPEEDSCOPE_H
#define HPROF_EXPORT_SPEEDSCOPE_H

#include "console/output.h"
#include "export/stack_profile.h"

/* Whether this build has the JSON library that the formats of speedscope and Firefox require. */
extern const bool json_is_available;

/* Writes a sampled profile for each kind or, if stacks are separate by thread, for each thread
 * and kind. name is that of the profile. False when out of memory or the output failed. */
bool stack_profile_write_speedscope(const struct stack_profile *stacks, const char *name,
                                    struct output *output);

#endif
