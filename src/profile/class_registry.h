/*
 * class_registry.h: which class of the VM is which class of the model. A class
 * carries its registry entry as JVM TI tag, so that the identity holds as long
 * as the class lives, and its end is told by the garbage collector.
 */
#ifndef HPROF_PROFILE_CLASS_REGISTRY_H
#define HPROF_PROFILE_CLASS_REGISTRY_H

#include "profile/profile.h"

struct class_registry;

/* NULL without memory. */
struct class_registry *class_registry_create(struct profile *profile);
void class_registry_destroy(struct class_registry *registry);

/* The class's record; a class that was not known is added and written out as
 * LOAD CLASS. NULL without memory (reported). Start or live phase; takes the
 * registry's lock. */
const struct class_record *class_registry_find(struct class_registry *registry, jclass class);

/* The calling thread prepares the class: the same, with its trace in the LOAD CLASS. In the
 * event alone; takes the locks of the tables of frames and traces, too. */
void class_registry_prepared(struct class_registry *registry, JNIEnv *jni, jclass class);

/* Tags of classes are below; others may give objects tags from here on. */
#define CLASS_TAG_END ((uint64_t)1 << 56)

/* The record of the class that has that tag; NULL when it is none of a class. For heap
 * callbacks. */
const struct class_record *class_registry_by_tag(jlong tag);

/* The ObjectFree event of a class, or of another object with a tag: remembers it. Callable where
 * JVM TI and malloc are not. */
void class_registry_freed(struct class_registry *registry, jlong tag);

/* Writes UNLOAD CLASS for the classes freed since the last call. */
void class_registry_write_unloads(struct class_registry *registry);

#endif
