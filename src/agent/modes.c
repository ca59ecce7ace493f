/*
 * modes.c: see modes.h.
 */
#include "agent/modes.h"

#include "alloc/alloc_mode.h"
#include "calls/calls_mode.h"
#include "heapdump/heap_dump_mode.h"
#include "monitor/monitor_mode.h"
#include "sampling/sampling_mode.h"

const struct mode_ops *const mode_table[] = {
        &monitors_mode, &cpu_samples_mode, &cpu_times_mode,  &cpu_old_mode, &microstates_mode,
        &alloc_mode,    &heap_dump_mode,   &heap_sites_mode, NULL,
};
