/*
 * stage.h: waits for the profile to have begun.
 */
#ifndef HPROF_AGENT_STAGE_H
#define HPROF_AGENT_STAGE_H

#include "agent/agent.h"

#define AGENT_NO_LIMIT_MS UINT32_MAX

/* Waits until agent_go_live() has returned, at most that long. False after that time, or when the
 * agent has been discarded instead. Any thread except the one in agent_go_live(). */
bool agent_await_live(const struct agent *agent, uint32_t limit_ms);

#endif
