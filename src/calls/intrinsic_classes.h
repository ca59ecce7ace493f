/*
 * intrinsic_classes.h: which loaded classes have methods that compilers replace, before any
 * other class is rewritten that may call them.
 */
#ifndef HPROF_CALLS_INTRINSIC_CLASSES_H
#define HPROF_CALLS_INTRINSIC_CLASSES_H

#include "profile/profile.h"

/* Has the loaded classes of the boot loader with such methods pass the ClassFileLoadHook,
 * which is enabled from then on. Live phase. What can't be found, or not be transformed,
 * does not pass. */
void intrinsic_classes_retransform(struct profile *profile, JNIEnv *jni);

#endif
