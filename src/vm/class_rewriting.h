/*
 * class_rewriting.h: what all that rewrites the program's classes does alike: names, and
 * what becomes of methods that are left alone. No state: any thread.
 */
#ifndef HPROF_VM_CLASS_REWRITING_H
#define HPROF_VM_CLASS_REWRITING_H

#include "classfile/rewrite.h"

/* A terminated copy of the name, as it is and in source form ("java.lang.Object").
 * The caller frees it; NULL without memory. */
char *class_rewriting_name(struct classfile_name name);
char *class_rewriting_dotted_name(struct classfile_name name);

/* Tells the user of a method left alone. */
void class_rewriting_print_skipped(const struct classfile *classfile,
                                   const struct classfile_method *method, enum rewrite_skip reason);

/* How many methods were left alone. */
uint32_t class_rewriting_skipped(const struct rewrite_result *result);

#endif
