/*
 * live_classes.h: the answer to ALLOC SITES where allocations are not tracked.
 */
#ifndef HPROF_AGENT_LIVE_CLASSES_H
#define HPROF_AGENT_LIVE_CLASSES_H

#include "profile/net_command.h"
#include "profile/profile.h"

/* Collects garbage and writes ALLOC SITES with the objects that live then, all at the empty
 * trace: a row for each class. What was allocated is 0, as it is in HEAP SUMMARY then. False
 * when the VM refuses. On a thread of the agent, under the dump lock; live phase. */
bool live_classes_write(struct profile *profile, JNIEnv *jni, const struct net_command *command);

#endif
