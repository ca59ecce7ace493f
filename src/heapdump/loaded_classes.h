/*
 * loaded_classes.h: all classes that are loaded at the moment of a heap dump, which of
 * the model each of them is, and, through a dump by the VM, where its object is.
 */
#ifndef HPROF_HEAPDUMP_LOADED_CLASSES_H
#define HPROF_HEAPDUMP_LOADED_CLASSES_H

#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loaded_classes;

/* The classes loaded now, each entered in the class registry. NULL without memory.
 * Live phase. */
struct loaded_classes *loaded_classes_create(struct profile *profile, JNIEnv *jni);
void loaded_classes_destroy(struct loaded_classes *classes, JNIEnv *jni);

/* How many, and each of them, as a weak reference. */
size_t loaded_classes_count(const struct loaded_classes *classes);
jclass loaded_classes_get(const struct loaded_classes *classes, size_t index,
                          const struct class_record **record);

/* Notes where the class objects are. Reads and writes memory only: for the callback of
 * GarbageCollectionFinish, in which objects keep still. HotSpot alone, whose references
 * are pointers to where the object's address is. */
void loaded_classes_take_addresses(struct loaded_classes *classes);

/* The class whose object is at that address, by what was taken, or the one of that name
 * (as in class files), which is made when there is none, or when there are several and
 * nothing was taken. NULL without memory. */
const struct class_record *loaded_classes_find(struct loaded_classes *classes, uint64_t address,
                                               const char *name, size_t length);

/* The class with that object id in the output, or NULL. */
const struct class_record *loaded_classes_find_by_id(struct loaded_classes *classes,
                                                     uint64_t object_id);

#endif
