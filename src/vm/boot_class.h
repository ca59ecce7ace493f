/*
 * boot_class.h: classes of the agent's own in the boot loader, so that instrumented code
 * of every class can call them. They stay when a profile ends.
 */
#ifndef HPROF_VM_BOOT_CLASS_H
#define HPROF_VM_BOOT_CLASS_H

#include "profile/profile.h"

struct boot_class {
	const char *name; /* internal */
	const unsigned char *bytes;
	size_t length;
	const JNINativeMethod *natives;
	jint native_count;
};

/* An entry of natives. name and signature are not changed. */
JNINativeMethod boot_class_native(const char *name, const char *signature, void (*function)(void));

/* The class, initialised, with its native methods: the existing one, or a new one.
 * NULL, with no exception pending, when the VM does not take it. Live phase, one thread at
 * a time. */
jclass boot_class_define(struct profile *profile, JNIEnv *jni, const struct boot_class *class);

#endif
