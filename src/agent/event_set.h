/*
 * event_set.h: which events of the VM are enabled.
 */
#ifndef HPROF_AGENT_EVENT_SET_H
#define HPROF_AGENT_EVENT_SET_H

#include "agent/agent.h"

/* Enables the events in agent->needs; those already enabled stay so. False when the VM
 * refuses. */
bool agent_enable_needed(struct agent *agent);

bool agent_enable_event(struct agent *agent, jvmtiEvent event);

/* Disables all events; callbacks already running are not waited for. */
void agent_disable_events(struct agent *agent);

#endif
