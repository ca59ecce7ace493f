/*
 * agent_thread.h: the threads that the agent runs in the VM.
 */
#ifndef HPROF_VM_AGENT_THREAD_H
#define HPROF_VM_AGENT_THREAD_H

#include "profile/profile.h"

/* Creates an agent thread of that name, which runs run(jvmti, jni, argument) until it
 * returns, hidden from the program and from the profile. Live phase. False with the reason
 * reported. */
bool agent_thread_start(struct profile *profile, JNIEnv *jni, const char *name,
                        jvmtiStartFunction run, void *argument);

/* Waits, at most timeout_ms, until all agent threads have returned, and wakes those that
 * wait for profile->wake. False when one has not returned. */
bool agent_threads_join(struct profile *profile, uint32_t timeout_ms);

#endif
