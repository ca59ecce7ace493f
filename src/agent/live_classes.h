/*
 * live_classes.h: the answer to ALLOC SITES where allocations are not tracked.
 */
#ifndef HPROF_AGENT_LIVE_CLASSES_H
#define HPROF_AGENT_LIVE_CLASSES_H

#include "profile/net_command.h"
#include "profile/profile.h"

/* Collects garbage and writes ALLOC SITES with a row for each class that has live objects, all
 * at the empty trace. Allocated bytes and objects are written as 0. False when the VM refuses.
 * On an agent thread, under the dump lock; live phase. */
bool live_classes_write(struct profile *profile, JNIEnv *jni, const struct net_command *command);

#endif
