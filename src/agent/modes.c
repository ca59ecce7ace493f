/*
 * modes.c: the modes there are.
 */
#include "profile/mode.h"

const struct mode_ops *const mode_table[] = {
        &monitors_mode,      &cpu_samples_mode, &cpu_times_mode,  &cpu_old_mode, &microstates_mode,
        &heap_tracking_mode, &heap_dump_mode,   &heap_sites_mode, NULL,
};
