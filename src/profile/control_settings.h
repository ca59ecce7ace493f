/*
 * control_settings.h: what CONTROL SETTINGS reports: what is being gathered, and how
 * deep traces are. The modes set it, commands of the peer change it.
 */
#ifndef HPROF_PROFILE_CONTROL_SETTINGS_H
#define HPROF_PROFILE_CONTROL_SETTINGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct settings;

struct control_settings {
	_Atomic uint32_t flags; /* CONTROL_ALLOC_TRACES, CONTROL_CPU_SAMPLING */
	_Atomic uint32_t depth; /* frames of a trace, at most 65535 */
};

/* Whether there is a peer that may send commands. */
bool profile_is_commanded(const struct settings *settings);

/* The deepest traces that a command may ask for. Modes make room for so many frames;
 * without a peer that commands it is the depth option. */
uint32_t profile_depth_max(const struct settings *settings);

#endif
