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

enum { INTRINSICS_BUCKETS = 1 << 10 };

struct intrinsic;

/* Empty when all its bytes are 0. */
struct intrinsics {
	_Atomic(struct intrinsic *) buckets[INTRINSICS_BUCKETS];
	_Atomic bool any;
};

/* Frees the entries. */
void intrinsics_clear(struct intrinsics *methods);

/* Adds a method that the class itself declares, by its number. is_final: no method
 * overrides it. False without memory. */
bool intrinsics_add(struct intrinsics *methods, const struct classfile_member *method,
                    bool is_final, call_method number);

/* Whether an instruction with that opcode that names called surely calls a method that
 * was added; its number. */
bool intrinsics_find(const struct intrinsics *methods, uint8_t opcode,
                     const struct classfile_member *called, call_method *number);

/* Whether the method at index is one that the JDK marks as replaced. */
bool intrinsics_is_marked(const struct classfile *classfile, uint32_t index);

/* Whether these bytes, of a class file or of a constant pool, may have the mark at all. */
bool intrinsics_may_be_marked(const uint8_t *bytes, size_t length);

#endif
