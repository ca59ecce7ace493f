/*
 * native_calls.h: native methods, of which a call can take time that no counted call
 * shows: their caller needs a look at the clocks itself.
 *
 * A set of bits by hash: a few other methods are taken for such ones too, which does no
 * harm but to read the clocks. Any thread, no lock.
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

/* Adds a native method, but for some that are no more than a look at their object. It is
 * known by name and descriptor alone, as it is called by the names of subclasses too. */
void native_calls_add(struct native_calls *calls, const struct classfile_member *method);

/* Adds those of all loaded classes. Live phase. */
void native_calls_add_loaded(struct native_calls *calls, struct profile *profile, JNIEnv *jni);

bool native_calls_has(const struct native_calls *calls, const struct classfile_member *method);

#endif
