/*
 * net_commands.h: the thread that carries out the commands of the peer.
 */
#ifndef HPROF_AGENT_NET_COMMANDS_H
#define HPROF_AGENT_NET_COMMANDS_H

#include "agent/agent.h"

/* Starts the thread that reads and carries out the peer's commands: with net= and binary format
 * only. Live phase. */
void net_commands_start(struct agent *agent, JNIEnv *jni);

#endif
