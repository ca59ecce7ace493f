/*
 * mark_locals.h: where the marks of objects wait until their constructors have run: for each
 * `new` of a method a local variable that no other `new` uses in between. For the rewriting
 * thread; no VM.
 */
#ifndef HPROF_ALLOC_MARK_LOCALS_H
#define HPROF_ALLOC_MARK_LOCALS_H

#include "classfile/rewrite.h"

/* More than wait at a time in any source code; what is nested deeper gets no mark. */
enum { MARK_LOCALS_MAX = 12 };

struct mark_locals {
	uint8_t *places; /* by offset in the code: 1 + an index below used; 0 for none */
	uint32_t length; /* of places */
	uint32_t used;
	uint16_t locals[MARK_LOCALS_MAX];
};

/* Finds the places of each `new` before the instruction at an index. Without memory, or if
 * constructors are not called as compilers do it, some or all have none. */
void mark_locals_plan(struct mark_locals *marks, struct method_edit *edit, uint32_t end);

/* Adds the local variables, and to the entry code that they are 0 at first. */
void mark_locals_add(struct mark_locals *marks, struct method_edit *edit,
                     struct code_emitter *entry);

/* The variable of the `new` at that offset in the original code; false if it has none. */
bool mark_locals_of(const struct mark_locals *marks, uint32_t offset, uint16_t *local);

void mark_locals_free(struct mark_locals *marks);

#endif
