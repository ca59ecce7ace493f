/*
 * boot_classes.h: the class files of java/lang/HprofTracker and java/lang/HprofHeap,
 * compiled by the Makefile.
 */
#ifndef HPROF_JAVA_BOOT_CLASSES_H
#define HPROF_JAVA_BOOT_CLASSES_H

#include <stddef.h>

/* Their internal names. */
#define TRACKER_CLASS "java/lang/HprofTracker"
#define HEAP_CLASS "java/lang/HprofHeap"

extern const unsigned char HprofTracker_bytes[];
extern const size_t HprofTracker_length;

extern const unsigned char HprofHeap_bytes[];
extern const size_t HprofHeap_length;

#endif
