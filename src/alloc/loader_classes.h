/*
 * loader_classes.h: resolves a class name in the code of another class, by
 * that class's loader.
 */
#ifndef HPROF_ALLOC_LOADER_CLASSES_H
#define HPROF_ALLOC_LOADER_CLASSES_H

#include "hotspot/memo_table.h"
#include "profile/profile.h"

/* The record of the class that has that internal name in the method that called the native
 * method on top of the calling thread's stack; it is linked there. *class is the class itself
 * if it had to be searched for, which is slow, else NULL: answers are kept in memo. NULL
 * if there is none, or without memory. Live phase. */
const struct class_record *loader_class_named(struct profile *profile, struct memo_table *memo,
                                              JNIEnv *jni, jstring name, jclass *class);

#endif
