/*
 * worker.h: the thread that polls the modes.
 */
#ifndef HPROF_AGENT_WORKER_H
#define HPROF_AGENT_WORKER_H

#include "agent/agent.h"

/* Starts the agent thread that polls the modes. Live phase. */
void worker_start(struct agent *agent, JNIEnv *jni);

#endif
