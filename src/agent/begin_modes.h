/*
 * begin_modes.h: the steps in which modes begin: of all modes when the profile does (go_live.c), of
 * one more during the profile (start_mode.c). In the live phase, on one thread at a time.
 */
#ifndef HPROF_AGENT_BEGIN_MODES_H
#define HPROF_AGENT_BEGIN_MODES_H

#include "agent/agent.h"

/* Reports the loaded classes to the modes from number first on, and calls their live hooks. */
void begin_modes_live(struct agent *agent, JNIEnv *jni, size_t first);

/* Finds threads that started before the agent received events, and reports them to the modes. */
void begin_modes_missed_threads(struct agent *agent, JNIEnv *jni);

/* Reports the known threads to the modes that have not seen them: those added last. */
void begin_modes_known_threads(struct agent *agent, JNIEnv *jni);

/* Lets the modes rewrite the loaded classes, if one does that. */
void begin_modes_rewriting(struct agent *agent, JNIEnv *jni);

/* Calls the begin hooks of the modes from number first on. */
void begin_modes_begin(struct agent *agent, size_t first);

#endif
