/*
 * alloc_instrumenter.h: makes bytecode report each allocation to a native method
 * of java/lang/HprofHeap, for heap=sites. The VM's own event, which disables the
 * fast allocation path, is not needed then. It edits class files and does not use the VM.
 */
#ifndef HPROF_ALLOC_ALLOC_INSTRUMENTER_H
#define HPROF_ALLOC_ALLOC_INSTRUMENTER_H

#include "vm/class_rewriting.h"

struct alloc_instrumenter {
	struct class_rewriting rewriting;
	bool marks_objects;              /* the code marks each object, too */
	_Atomic uint32_t sites_left_out; /* of reduced methods: instructions that report nothing */
};

/* Rewrites a class file: each allocation calls HEAP_CLASS. *rewritten is from malloc().
 * False if the class stays unchanged: it allocates nothing, must not call
 * the agent, or can't be parsed, or there is no memory. Any thread. */
bool alloc_instrumenter_rewrite(struct alloc_instrumenter *instrumenter, const uint8_t *bytes,
                                size_t length, uint8_t **rewritten, size_t *rewritten_length);

#endif
