/*
 * go_live.h: the profile begins.
 */
#ifndef HPROF_AGENT_GO_LIVE_H
#define HPROF_AGENT_GO_LIVE_H

#include "agent/agent.h"

/* Begins profiling, in the live phase: on the VM's main thread before main(), or on the
 * thread that attaches the agent. */
void agent_go_live(struct agent *agent, JNIEnv *jni);

#endif
