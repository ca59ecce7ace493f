/*
 * firefox.h: the stacks of a profile in the processed profile format of the Firefox Profiler. One
 * thread; no lock.
 */
#ifndef HPROF_EXPORT_FIREFOX_H
#define HPROF_EXPORT_FIREFOX_H

#include "console/output.h"
#include "export/stack_profile.h"

/* Writes a thread for each kind or, if stacks are separate by thread, for each thread and kind.
 * Requires json_is_available. False when out of memory or the output failed. */
bool stack_profile_write_firefox(const struct stack_profile *stacks, struct output *output);

#endif
