/*
 * intrinsics.h: methods whose bytecode need not run when they are called, since
 * compilers and interpreters may have code of their own in its place (intrinsics). Their
 * calls are counted where bytecode makes them.
 *
 * Entries are added and never change: any thread, no lock.
 */
#ifndef HPROF_CALLS_INTRINSICS_H
#define HPROF_CALLS_INTRINSICS_H

#include "calls/call_graph.h"
#include "classfile/classfile.h"

#include <stdatomic.h>

enum { REPLACED_BUCKETS = 1 << 10 };

struct replaced_method;

/* Empty when all its bytes are 0. */
struct replaced_methods {
	_Atomic(struct replaced_method *) buckets[REPLACED_BUCKETS];
	_Atomic bool any;
};

/* Frees the entries. */
void replaced_methods_clear(struct replaced_methods *methods);

/* Adds a method that the class itself declares, by its number. is_final: no method
 * overrides it. False without memory. */
bool replaced_methods_add(struct replaced_methods *methods, const struct classfile_member *method,
                          bool is_final, call_method number);

/* Whether an instruction with that opcode that names called surely calls a method that
 * was added; its number. */
bool replaced_methods_find(const struct replaced_methods *methods, uint8_t opcode,
                           const struct classfile_member *called, call_method *number);

/* Whether the method at index is one that the JDK marks as replaced. */
bool replaced_methods_has_mark(const struct classfile *classfile, uint32_t index);

/* Whether these bytes, of a class file or of a constant pool, may have the mark at all. */
bool replaced_methods_may_have_mark(const uint8_t *bytes, size_t length);

#endif
