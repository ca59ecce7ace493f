/*
 * tracker_class.h: the class file of java/lang/HprofTracker, compiled by the
 * Makefile.
 */
#ifndef HPROF_JAVA_TRACKER_CLASS_H
#define HPROF_JAVA_TRACKER_CLASS_H

#include <stddef.h>

/* Its name, as class files write it. */
#define TRACKER_CLASS "java/lang/HprofTracker"

extern const unsigned char tracker_class_bytes[];
extern const size_t tracker_class_length;

#endif
