/*
 * sampling_mode.h: the modes of cpu=samples and msa=y.
 */
#ifndef HPROF_SAMPLING_SAMPLING_MODE_H
#define HPROF_SAMPLING_SAMPLING_MODE_H

#include "profile/mode.h"

extern const struct mode_ops cpu_samples_mode;
extern const struct mode_ops microstates_mode;

#endif
