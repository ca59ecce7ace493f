/*
 * source_bytecode.h: allocations told by those who make them, for heap=sites with
 * live=n: by instrumented bytecode (alloc_instrumenter.h), which calls native methods
 * of java/lang/HprofHeap; by JNI functions (source_jni.h); and by the VM where it makes
 * objects for its own native methods (JVM TI's VMObjectAlloc). The JVM keeps its fast way to
 * allocate, which its event for each object takes away.
 *
 * Natives find the heap tracking by a pointer of source_bytecode.c: one at a time in a
 * process.
 */
#ifndef HPROF_ALLOC_SOURCE_BYTECODE_H
#define HPROF_ALLOC_SOURCE_BYTECODE_H

#include "alloc/alloc.h"

/* Has allocations be told to the tracking, those of bytecode when classes have been
 * rewritten. False where that is not possible, with nothing begun. Live phase. */
bool source_bytecode_begin(struct alloc *alloc, JNIEnv *jni);

/* No more is told; somebody may be inside (active_callbacks.h). Any thread. */
void source_bytecode_end(struct alloc *alloc);

/* The VM has made an object, as VMObjectAlloc tells; on the thread it made it for. */
void source_bytecode_record_vm_object(struct alloc *alloc, JNIEnv *jni, jobject object,
                                      jclass class, uint64_t size);

#endif
