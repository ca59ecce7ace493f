/*
 * frame_resolver.h: the VM's method ids and bytecode indexes to frames of the
 * model, with their names.
 */
#ifndef HPROF_PROFILE_FRAME_RESOLVER_H
#define HPROF_PROFILE_FRAME_RESOLVER_H

#include "profile/profile.h"

struct frame_resolver;

/* NULL without memory. */
struct frame_resolver *frame_resolver_create(struct profile *profile);
void frame_resolver_destroy(struct frame_resolver *resolver);

/* The frame of method at bytecode index bci (negative: not known, or native).
 * A method whose class is gone and was not learnt is named as unknown. NULL
 * without memory (reported). Live phase; any thread. */
const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci);

/* Resolves the names of methods now, for classes that may be unloaded before
 * somebody asks. Any thread; live phase. */
void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count);

#endif
