/*
 * alloc_record.h: records an allocation: finds its site, by the calling thread's stack and
 * the class, and counts it there. All sources of allocations end here: the VM's event
 * (alloc_mode.c), instrumented bytecode (source_bytecode.h), JNI functions (source_jni.h).
 */
#ifndef HPROF_ALLOC_ALLOC_RECORD_H
#define HPROF_ALLOC_ALLOC_RECORD_H

#include "alloc/alloc.h"

/* One allocation. A source sets what it knows; the rest is 0. */
struct allocation {
	JNIEnv *jni;           /* of the thread that allocated: the calling thread */
	uint32_t agent_frames; /* the agent's native methods on top of the thread's stack */
	jobject object;        /* NULL: only its class is known; then it can't be tracked */
	jclass class;          /* NULL: the class of object, or the class called name */
	jstring name;          /* internal name, resolved in the caller of the native method */
	uint64_t size;         /* bytes of object; used when object and class are set */
	uint32_t length;       /* elements of an array; used when object is NULL */
};

/* Counts the allocation at its site and tracks the object, if objects are tracked; or returns the
 * mark that the object is to get, 0 for none. On the
 * thread that allocated, in the live phase, without a pending exception. Takes a lock only
 * for a site or a stack that is new. Out of memory is reported as the profile's error. */
uint32_t alloc_record(struct alloc *alloc, const struct allocation *allocation);

#endif
