/*
 * stop.h: the running agent of the VM, and the end of its profile while the VM continues.
 */
#ifndef HPROF_AGENT_STOP_H
#define HPROF_AGENT_STOP_H

#include "agent/agent.h"

/* The agent that profiles this VM, or NULL. Any thread. */
struct agent *agent_running(void);

/* Makes agent the running one; false if there is one already. Any thread. */
bool agent_claim(struct agent *agent);

/* Detaches an agent whose profile has ended, or that failed to start, from the VM and frees
 * it. If callbacks or threads do not return in time, the agent is not freed. Live phase, not
 * within a callback (active_callbacks.h). */
void agent_discard(struct agent *agent, JNIEnv *jni);

/* Ends the profile of the running agent while the VM continues: writes the last dump, closes
 * the output, restores classes, frees the agent. agent_go_live() must have returned. Live phase,
 * not within a callback (active_callbacks.h), one thread at a time. */
void agent_stop(struct agent *agent, JNIEnv *jni);

#endif
