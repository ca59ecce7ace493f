/*
 * control_settings.h: the contents of CONTROL SETTINGS: what is being recorded, and the
 * depth of traces. Set by the modes and changed by commands of the peer. Both members are
 * atomic: any thread, no lock.
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

/* Whether a peer can send commands: net= with the binary format. */
bool profile_is_commanded(const struct settings *settings);

/* The greatest depth that a command may set; the depth option if no peer can send
 * commands. Modes allocate memory for this number of frames. */
uint32_t profile_depth_max(const struct settings *settings);

#endif
