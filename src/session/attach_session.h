/*
 * attach_session.h: a profile of a running JVM from its begin to its report. One thread.
 */
#ifndef HPROF_SESSION_ATTACH_SESSION_H
#define HPROF_SESSION_ATTACH_SESSION_H

#include "session/profile_plan.h"

#include <stdint.h>

struct attach_session {
	uint64_t pid;
	const char *library;
	const struct profile_plan *plan;
	long long seconds; /* negative: until Ctrl-C */
};

/* Loads the agent, waits for the time, Ctrl-C or the end of the JVM, ends the profile and writes
 * the output. Returns the exit code. */
int attach_session_run(const struct attach_session *session);

#endif
