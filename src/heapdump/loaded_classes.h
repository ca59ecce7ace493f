/*
 * loaded_classes.h: all classes that are loaded when a heap dump begins, their records in the
 * model, and, for a dump by the VM, the addresses of their class objects.
 */
#ifndef HPROF_HEAPDUMP_LOADED_CLASSES_H
#define HPROF_HEAPDUMP_LOADED_CLASSES_H

#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loaded_classes;

/* Lists the classes loaded now, and adds each to the class registry. NULL when out of memory.
 * Live phase. */
struct loaded_classes *loaded_classes_create(struct profile *profile, JNIEnv *jni);
void loaded_classes_destroy(struct loaded_classes *classes, JNIEnv *jni);

/* The number of classes, and each class as a weak reference that stays the list's. */
size_t loaded_classes_count(const struct loaded_classes *classes);
jclass loaded_classes_get(const struct loaded_classes *classes, size_t index,
                          const struct class_record **record);

/* Notes the addresses of the class objects. Only reads and writes memory: for the callback of
 * GarbageCollectionFinish, during which objects do not move. HotSpot only: its references are
 * pointers to the address of the object. */
void loaded_classes_take_addresses(struct loaded_classes *classes);

/* The class whose object is at that address, if addresses have been taken; else the class with
 * that name (as in class files). A class is added to the model when none has the name, or
 * several have it and no addresses were taken. NULL when out of memory. */
const struct class_record *loaded_classes_find(struct loaded_classes *classes, uint64_t address,
                                               const char *name, size_t length);

/* The class with that object id in the output, or NULL. */
const struct class_record *loaded_classes_find_by_id(struct loaded_classes *classes,
                                                     uint64_t object_id);

#endif
