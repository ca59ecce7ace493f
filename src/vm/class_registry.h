/*
 * class_registry.h: maps classes of the VM to classes of the model. The JVM TI tag
 * of a class is its registry entry: it stays with the class, and the ObjectFree event
 * reports it when the class is unloaded.
 */
#ifndef HPROF_VM_CLASS_REGISTRY_H
#define HPROF_VM_CLASS_REGISTRY_H

#include "profile/profile.h"

struct class_registry;

/* NULL without memory. */
struct class_registry *class_registry_create(struct profile *profile);
void class_registry_destroy(struct class_registry *registry);

/* The class's record; a class that was not known is added and written out as
 * LOAD CLASS. NULL without memory (reported). Start or live phase; takes the
 * registry's lock. */
const struct class_record *class_registry_find(struct class_registry *registry, jclass class);

/* The same, where LOAD CLASS of a class that is added gets that trace, which has been
 * written; 0 for none. */
const struct class_record *class_registry_add(struct class_registry *registry, jclass class,
                                              uint32_t trace_serial);

/* Whether the class is known. Start or live phase; takes no lock. */
bool class_registry_has(struct class_registry *registry, jclass class);

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
