/*
 * start_mode.h: adds a mode to a running profile.
 */
#ifndef HPROF_AGENT_START_MODE_H
#define HPROF_AGENT_START_MODE_H

#include "agent/agent.h"

/* Adds a mode to the running profile. False, with the reason printed by the mode, on failure.
 * On an agent thread, under the dump lock. */
bool agent_start_mode(struct agent *agent, JNIEnv *jni, const struct mode_ops *ops);

#endif
