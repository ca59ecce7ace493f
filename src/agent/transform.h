/*
 * transform.h: loaded classes pass the ClassFileLoadHook again.
 */
#ifndef HPROF_AGENT_TRANSFORM_H
#define HPROF_AGENT_TRANSFORM_H

#include "agent/agent.h"

/* Retransforms all loaded classes, so that they pass the ClassFileLoadHook again, if a mode
 * rewrites classes. what completes the message "N loaded classes ..." about those that the VM
 * refuses. Live phase; no lock. */
void agent_transform_classes(struct agent *agent, JNIEnv *jni, const char *what);

#endif
