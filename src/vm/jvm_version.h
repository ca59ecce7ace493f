/*
 * jvm_version.h: the JVM's version, and whether the agent supports it.
 */
#ifndef HPROF_VM_JVM_VERSION_H
#define HPROF_VM_JVM_VERSION_H

#include <jvmti.h>
#include <stdbool.h>

/* The JDK's version, 1 before JDK 9; 0 if the JVM does not return one. Any phase. */
int jvm_version(jvmtiEnv *jvmti);

/* Whether it is a version of the JDK that the agent has been tested with. Any phase. */
bool jvm_version_is_tested(jvmtiEnv *jvmti);

/* Whether the JVM is of JDK 11 or later; otherwise prints why it is refused. Prints also if it is
 * later than those that were tested. Any phase. */
bool jvm_version_is_supported(jvmtiEnv *jvmti);

#endif
