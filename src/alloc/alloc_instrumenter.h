/*
 * alloc_instrumenter.h: has each place where bytecode allocates tell a native method
 * of java/lang/HprofHeap of it, for heap=sites,live=n. The VM's own event, which leaves the
 * fast way of allocating, is not needed then. It knows class files, not the VM.
 */
#ifndef HPROF_ALLOC_ALLOC_INSTRUMENTER_H
#define HPROF_ALLOC_ALLOC_INSTRUMENTER_H

#include "vm/class_rewriting.h"

struct alloc_instrumenter {
	struct class_rewriting rewriting;
};

/* Rewrites a class file: each allocation calls HEAP_CLASS. *rewritten is from malloc().
 * False when the class stays as it is: it allocates nothing, it is one that must not call
 * the agent, it can't be read, or there is no memory. Any thread. */
bool alloc_instrumenter_rewrite(struct alloc_instrumenter *instrumenter, const uint8_t *bytes,
                                size_t length, uint8_t **rewritten, size_t *rewritten_length);

#endif
