/*
 * calls_mode.h: the modes of cpu=times and cpu=old.
 */
#ifndef HPROF_CALLS_CALLS_MODE_H
#define HPROF_CALLS_CALLS_MODE_H

#include "profile/mode.h"

extern const struct mode_ops cpu_times_mode;
extern const struct mode_ops cpu_old_mode;

#endif
