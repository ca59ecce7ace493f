/*
 * jmm.h: the management interface that HotSpot's library exports for its JDK,
 * as far as heap dumps go. It is not a public interface: the place of the function is
 * known for the versions of it that JDK 11 to 25 have, and it is not used with others.
 */
#ifndef HPROF_HOTSPOT_JMM_H
#define HPROF_HOTSPOT_JMM_H

#include <jni.h>

/* Writes all live objects to the file of that name (modified UTF-8), which must not
 * exist, after a full collection in the same pause; it is in the HPROF binary format.
 * Throws an IOException. */
typedef jint(JNICALL *jmm_dump_heap)(JNIEnv *jni, jstring file_name, jboolean live);

/* The VM's own dumper, or NULL when this VM has none that we know. Any thread. */
jmm_dump_heap jmm_heap_dumper(JavaVM *vm, JNIEnv *jni);

/* The slot of the dumper in the table of that version, which has at least 34 slots; -1 if the
 * table is not one that we know. Any thread. */
int jmm_dumper_slot(void *const *table, jint version);

#endif
