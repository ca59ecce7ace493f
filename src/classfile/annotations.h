/*
 * Attributes of a class file that are not about code: the source file, and which
 * methods have an annotation. Any thread, no locks.
 */
#ifndef HPROF_CLASSFILE_ANNOTATIONS_H
#define HPROF_CLASSFILE_ANNOTATIONS_H

#include "classfile/classfile.h"

/* The name in the SourceFile attribute (JVMS 4.7.10); false without one. */
bool classfile_source_file(const struct classfile *classfile, struct classfile_name *name);

/* Whether the method at index has the run-time visible annotation of that type
 * ("Ljava/lang/Deprecated;", JVMS 4.7.16). Malformed annotations count as none. */
bool classfile_method_has_annotation(const struct classfile *classfile, uint32_t index,
                                     const char *type);

#endif
