/*
 * redefined_classes.h: the classes that others have redefined, each with its newest version: the
 * class file that they gave, and what the transformers before ours made of it. class_versions.c
 * says why and when.
 *
 * Any thread in the live phase; the list has a lock of its own, under which JNI is called.
 */
#ifndef HPROF_VM_REDEFINED_CLASSES_H
#define HPROF_VM_REDEFINED_CLASSES_H

#include "os/os.h"

#include <jni.h>
#include <stddef.h>

struct redefined_class;

struct redefined_classes {
	struct os_mutex lock;
	struct redefined_class *first;
	jclass object;  /* a global reference to java/lang/Object */
	jfieldID count; /* of java/lang/Class; NULL: no redefinition is known to fail */
};

/* A class that is redefined or retransformed, and its class file as the hook gets it. */
struct transformed_class {
	jclass object;
	const char *name; /* internal */
	const uint8_t *bytes;
	size_t length;
};

/* Prepares a list whose bytes are all 0. False without memory. */
bool redefined_classes_init(struct redefined_classes *list, JNIEnv *jni);

/* Notes the version that a redefinition is about to give to the class. is_cached: the VM has a
 * class file of the version before, which it will give to all retransformations. False without
 * memory. */
bool redefined_classes_begin(struct redefined_classes *list, JNIEnv *jni,
                             const struct transformed_class *class, bool is_cached);

/* The class passes the transformers: once after redefined_classes_begin(), and in each
 * retransformation, which is_own if it is the agent's. Returns the class file to use instead,
 * from malloc(), and sets *length; NULL if the given one is right. */
uint8_t *redefined_classes_newest(struct redefined_classes *list, JNIEnv *jni,
                                  const struct transformed_class *class, bool is_own,
                                  size_t *length);

#endif
