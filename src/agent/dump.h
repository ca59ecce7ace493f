/*
 * dump.h: moves what the modes have collected into the output.
 */
#ifndef HPROF_AGENT_DUMP_H
#define HPROF_AGENT_DUMP_H

#include "agent/agent.h"

/* Has the modes process what they have collected since the last time, and reports unloaded
 * classes. Under the dump lock. */
void agent_drain(struct agent *agent, JNIEnv *jni);

/* Drains what the modes have collected and, when it is due, brings the file up to date. Called
 * every 100 ms by the worker thread. */
void agent_poll(struct agent *agent, JNIEnv *jni);

/* Writes all sections and resets the counts. Waits for the agent to be live: before that, sections
 * would be half filled. Any Java thread except the one in agent_go_live(). */
void agent_dump(struct agent *agent, JNIEnv *jni);

/* Ends the profile while the program runs: stops the modes, delivers what was written, closes
 * the output. Any thread. */
void agent_end_output(struct agent *agent);

/* Writes the last dump (unless doe=n) and closes the output. While another thread is in
 * agent_go_live(), waits for it, up to 30 s; after that, and on that thread itself, there is no
 * last dump. At the VM's death or the stop of the profile, on a Java thread. */
void agent_end(struct agent *agent, JNIEnv *jni);

#endif
