/*
 * source_bytecode.h: allocations reported by the code that allocates, for heap=sites with
 * live=n: by instrumented bytecode (alloc_instrumenter.h), which calls native methods
 * of java/lang/HprofHeap; by JNI functions (source_jni.h); and by the VM where it allocates
 * for its own native methods (JVM TI's VMObjectAlloc). The JVM keeps its fast allocation path,
 * which the event for each object disables.
 *
 * Native methods find struct alloc by a pointer in source_bytecode.c: one at a time in a
 * process.
 */
#ifndef HPROF_ALLOC_SOURCE_BYTECODE_H
#define HPROF_ALLOC_SOURCE_BYTECODE_H

#include "alloc/alloc.h"

/* Starts the reports to alloc; those of bytecode come once classes have been rewritten. False
 * if that is not possible, with nothing started. Live phase. */
bool source_bytecode_begin(struct alloc *alloc, JNIEnv *jni);

/* Ends the reports; callbacks may still be in flight (active_callbacks.h). Any thread. */
void source_bytecode_end(struct alloc *alloc);

/* Records the object of a VMObjectAlloc event, on the event's thread. */
void source_bytecode_record_vm_object(struct alloc *alloc, JNIEnv *jni, jobject object,
                                      jclass class, uint64_t size);

#endif
