/*
 * profile_time.h: when a profile begins. Pure.
 */
#ifndef HPROF_EXPORT_PROFILE_TIME_H
#define HPROF_EXPORT_PROFILE_TIME_H

#include "export/stack_profile.h"

/* In ms since 1970: the time of the first sample if the profile has times, or else the date at the
 * beginning of the file, which is read as local time. 0 if it has neither. */
uint64_t profile_start_ms(const struct stack_profile *stacks);

#endif
