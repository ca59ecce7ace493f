/*
 * events.h: the JVM TI callbacks.
 */
#ifndef HPROF_AGENT_EVENTS_H
#define HPROF_AGENT_EVENTS_H

#include "agent/agent.h"

/* Sets the callbacks and enables the events that are needed from the start. False when the
 * VM refuses. OnLoad or live phase. */
bool agent_enable_events(struct agent *agent);

#endif
