/*
 * start.h: from options to an agent with its profile, modes and output.
 */
#ifndef HPROF_AGENT_START_H
#define HPROF_AGENT_START_H

#include "agent/agent.h"

/* What the options request. */
enum start_request {
	START_PROFILE,
	START_STOP,   /* end the running profile */
	START_HELP,   /* print the help text */
	START_REFUSED /* invalid; the reason has been printed */
};

/* A zeroed agent, freed by agent_free(). NULL if out of memory, with a message. */
struct agent *agent_create(void);

/* Parses the options into the agent's settings. hint is appended to the message about
 * invalid options. */
enum start_request agent_read_options(struct agent *agent, const char *text, const char *hint);

/* Opens the output; an existing file keeps its contents until agent_start(). False, with the
 * reason printed, on failure. */
bool agent_open_output(struct agent *agent);

/* Creates the profile in a JVM TI environment of its own, with modes, writer and
 * capabilities, and enables the first events. Opens the output if it is not open. False, with
 * the reason printed, on failure: the caller then discards the agent. OnLoad or live phase. */
bool agent_start(struct agent *agent, JavaVM *vm);

/* Frees an agent that no callback and no thread can reach. Live phase. */
void agent_free(struct agent *agent, JNIEnv *jni);

#endif
