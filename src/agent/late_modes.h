/*
 * late_modes.h: modes that start when a command of the peer needs them.
 */
#ifndef HPROF_AGENT_LATE_MODES_H
#define HPROF_AGENT_LATE_MODES_H

#include "agent/agent.h"

/* Starts the mode that handles commands of that kind, unless it is active. A mode that failed
 * to start is not tried again. Thread and lock as for agent_start_mode(). */
void agent_start_mode_for(struct agent *agent, JNIEnv *jni, enum net_command_kind kind);

#endif
