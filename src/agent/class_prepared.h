/*
 * class_prepared.h: reports a prepared class to the modes.
 */
#ifndef HPROF_AGENT_CLASS_PREPARED_H
#define HPROF_AGENT_CLASS_PREPARED_H

#include "agent/agent.h"

/* Reports a prepared class to the modes from number first on. */
void agent_class_prepared(struct agent *agent, JNIEnv *jni, jclass class, size_t first);

#endif
