/*
 * intrinsics.h: a table of intrinsics: methods whose bytecode may not run when they are
 * called, since the VM's compilers and interpreters have their own code for them. Calls of
 * them are counted in the calling bytecode.
 *
 * Locking: none; entries are added atomically and do not change. Any thread.
 */
#ifndef HPROF_CALLS_INTRINSICS_H
#define HPROF_CALLS_INTRINSICS_H

#include "calls/call_graph.h"
#include "classfile/classfile.h"

#include <stdatomic.h>

enum { INTRINSICS_BUCKETS = 1 << 10 };

struct intrinsic;

/* Empty when all its bytes are 0. */
struct intrinsics {
	_Atomic(struct intrinsic *) buckets[INTRINSICS_BUCKETS];
	_Atomic bool any;
};

/* Frees the entries, when no other thread uses the table. */
void intrinsics_clear(struct intrinsics *methods);

/* Adds a method and its number; class_name is the declaring class. is_final: no method can
 * override it. False without memory. */
bool intrinsics_add(struct intrinsics *methods, const struct classfile_member *method,
                    bool is_final, call_method number);

/* Whether an instruction with that opcode and operand certainly calls a method that was
 * added; then sets *number. */
bool intrinsics_find(const struct intrinsics *methods, uint8_t opcode,
                     const struct classfile_member *called, call_method *number);

/* Whether the JDK declares the method at index an intrinsic, by an annotation. */
bool intrinsics_is_marked(const struct classfile *classfile, uint32_t index);

/* Whether these bytes, of a class file or a constant pool, may have the annotation. */
bool intrinsics_may_be_marked(const uint8_t *bytes, size_t length);

#endif
