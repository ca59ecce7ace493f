/*
 * class_rewriting.h: what the modes that rewrite the program's classes have in
 * common: names from class files, counts of what could not be rewritten, and the
 * note about it in the output. No lock: any thread.
 */
#ifndef HPROF_VM_CLASS_REWRITING_H
#define HPROF_VM_CLASS_REWRITING_H

#include "classfile/rewrite.h"

#include <stdatomic.h>

struct record_writer;

/* The outcome of rewriting for one mode. Empty when all its bytes are 0. */
struct class_rewriting {
	bool verbose; /* print each method that is left unchanged; set before the first class */
	_Atomic uint32_t methods_skipped;    /* left unchanged */
	_Atomic uint32_t methods_grown_huge; /* now too long for the VM's compilers */
	_Atomic uint32_t methods_reduced;    /* rewritten with a part of the code left out */
	_Atomic uint32_t classes_refused;    /* could not be parsed */
};

/* A copy of the name with a terminating NUL, as it is ("java/lang/Object") or in
 * source form ("java.lang.Object"). The caller frees it; NULL without memory. */
char *class_rewriting_name(struct classfile_name name);
char *class_rewriting_dotted_name(struct classfile_name name);

/* Parses a class file; the caller frees the result with classfile_free(). Returns
 * NULL, and counts the class as refused, when it is malformed or memory is short. */
struct classfile *class_rewriting_parse(struct class_rewriting *rewriting, const uint8_t *bytes,
                                        size_t length);

/* Rewrites a class by the plan and counts the methods that are skipped or have
 * grown huge. *rewritten is from malloc(). Returns false when the class stays
 * unchanged. */
bool class_rewriting_apply(struct class_rewriting *rewriting, const struct classfile *classfile,
                           const struct rewrite_plan *plan, uint8_t **rewritten,
                           size_t *rewritten_length);

/* For the plan's skipped callback: with verbose, prints that the method is left
 * unchanged and why. */
void class_rewriting_print_skipped(const struct class_rewriting *rewriting,
                                   const struct classfile *classfile,
                                   const struct classfile_method *method, enum rewrite_skip reason);

/* For the plan's reduced callback: counts the method and, with verbose, prints it. what is left
 * out completes the line: "calls of intrinsics". */
void class_rewriting_add_reduced(struct class_rewriting *rewriting,
                                 const struct classfile *classfile,
                                 const struct classfile_method *method, const char *what);

/* Writes a note with the numbers of methods and classes that could not be rewritten,
 * if there are any. consequence completes the sentence: what that means for the
 * numbers in the output. */
void class_rewriting_write_note(const struct class_rewriting *rewriting,
                                struct record_writer *writer, const char *consequence);

#endif
