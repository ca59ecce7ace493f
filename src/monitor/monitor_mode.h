/*
 * monitor_mode.h: the mode of monitor=y.
 */
#ifndef HPROF_MONITOR_MONITOR_MODE_H
#define HPROF_MONITOR_MONITOR_MODE_H

#include "profile/mode.h"

extern const struct mode_ops monitors_mode;

#endif
