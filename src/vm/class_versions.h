/*
 * class_versions.h: lets retransformations begin with the newest version of each class, where
 * the VM does not. Before JDK 20, HotSpot keeps the class file of a class when an agent first
 * changes it, and gives that one to all later retransformations, even if the class has been
 * redefined since (by an IDE or java.lang.instrument). So the retransformation at the end of a
 * profile would bring back the old code.
 *
 * Nothing here ever ends, since an agent may retransform a class long after a profile. Memory is
 * taken for redefined classes alone.
 */
#ifndef HPROF_VM_CLASS_VERSIONS_H
#define HPROF_VM_CLASS_VERSIONS_H

#include <jvmti.h>
#include <stdbool.h>

/* Takes a place among the agents, in a VM that needs it: to be called before the environment is
 * created that rewrites classes, since the VM calls hooks in that order. OnLoad or live phase; one
 * thread at a time. */
void class_versions_reserve(JavaVM *vm);

/* Notes redefinitions from now on. To be called before classes are rewritten. Live phase; one
 * thread at a time. */
void class_versions_begin(JavaVM *vm, JNIEnv *jni);

/* The hook has replaced a class file. name is internal, or NULL. Any thread. */
void class_versions_rewritten(const char *name);

/* RetransformClasses(), for the agent's own rewriting: others' newest version stays. Live phase;
 * no lock. */
jvmtiError class_versions_retransform(jvmtiEnv *jvmti, jint count, const jclass *classes);

#endif
