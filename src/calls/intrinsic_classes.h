/*
 * intrinsic_classes.h: finds the intrinsics of loaded classes, before other classes that
 * may call them are rewritten.
 */
#ifndef HPROF_CALLS_INTRINSIC_CLASSES_H
#define HPROF_CALLS_INTRINSIC_CLASSES_H

#include "profile/profile.h"

/* Enables the ClassFileLoadHook and passes to it, by retransformation, the loaded classes of
 * the boot loader that may have intrinsics. Classes that can't be retransformed are
 * skipped. Live phase. */
void intrinsic_classes_retransform(struct profile *profile, JNIEnv *jni);

#endif
