/*
 * native_calls.h: a set of native methods. A native call can take time that no counted call
 * shows, so a method that makes one must read the clocks itself.
 *
 * The set is a bit array indexed by hash: a few other methods are in it too, whose callers
 * then read the clocks needlessly. No lock; any thread.
 */
#ifndef HPROF_CALLS_NATIVE_CALLS_H
#define HPROF_CALLS_NATIVE_CALLS_H

#include "classfile/classfile.h"
#include "profile/profile.h"

#include <stdatomic.h>

enum { NATIVE_CALLS_WORDS = 1 << 10 };

struct native_calls {
	_Atomic uint64_t bits[NATIVE_CALLS_WORDS];
};

/* Adds a native method, except a few that take no time (Object.hashCode, getClass). Methods
 * are identified by name and descriptor only, since calls may name a subclass. */
void native_calls_add(struct native_calls *calls, const struct classfile_member *method);

/* Adds the native methods of all loaded classes. Live phase. */
void native_calls_add_loaded(struct native_calls *calls, struct profile *profile, JNIEnv *jni);

bool native_calls_has(const struct native_calls *calls, const struct classfile_member *method);

#endif
