/*
 * capabilities.h: what the agent asks of the VM.
 */
#ifndef HPROF_AGENT_CAPABILITIES_H
#define HPROF_AGENT_CAPABILITIES_H

#include "agent/agent.h"

/* Adds those of the requested capabilities that the VM has. False when the VM refuses.
 * OnLoad or live phase. */
bool agent_add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *requested);

#endif
