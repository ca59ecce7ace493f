/*
 * object_traces.h: at which trace each object of a heap dump was allocated, for the
 * objects that are tracked. Two ways, for two kinds of dumps: by address, for the
 * VM's own dumper, and by JVM TI tag, for the walk by references.
 *
 * The tracking is profile->alloc; NULL when objects are not tracked
 * (live=n, or neither heap=sites nor a depth).
 */
#ifndef HPROF_ALLOC_OBJECT_TRACES_H
#define HPROF_ALLOC_OBJECT_TRACES_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct alloc;
struct object_traces;

/* ---- by address: for the time of one garbage collection --------------- */

/* Whether addresses are available: the collector moves objects only in pauses, and
 * references could be read at the start. Live phase. */
bool object_traces_by_address(const struct alloc *alloc);

/* Memory for all objects that are tracked now, and some more. Any Java thread, under
 * the profile's dump lock, which is held until object_traces_index() is done. NULL
 * without memory (not reported). */
struct object_traces *object_traces_prepare(struct alloc *alloc);

/* Notes where each tracked object is. Reads and writes memory only: for the callback
 * of GarbageCollectionFinish, in which objects keep still. Objects beyond the memory
 * that was prepared are left out, as those at the empty trace. */
void object_traces_take(struct object_traces *traces);

/* Puts what was noted in order. Before the first find; outside of callbacks. */
void object_traces_index(struct object_traces *traces);

/* The serial of the trace at which the object at that address was allocated;
 * TRACE_SERIAL_EMPTY when it is not tracked. Cost: some tens of ns. All traces that it
 * returns have been written. */
uint32_t object_traces_find(const struct object_traces *traces, uint64_t address);

/* NULL is fine. */
void object_traces_free(struct object_traces *traces);

/* ---- by tag ------------------------------------------------------------ */

/* A tag that stands for a trace: never a pointer, so that tags of classes (see
 * class_registry.h) stay apart. */
#define TRACE_TAG_BIT ((jlong)1 << 62)

/* Not for other tags, even with this bit: nothing else may become the serial of a trace. */
static inline bool is_trace_tag(jlong tag)
{
	return tag >> 32 == TRACE_TAG_BIT >> 32;
}

static inline uint32_t trace_of_tag(jlong tag)
{
	return (uint32_t)(tag & 0xffffffff);
}

/* Gives each tracked live object whose tag is 0 the tag TRACE_TAG_BIT | trace serial;
 * those at the empty trace keep 0. Any Java thread, under the profile's dump lock. */
void object_traces_tag(struct alloc *alloc, JNIEnv *jni);

/* ---- after collections --------------------------------------------------- */

/* Ends the tracking of objects that were collected since the last sweep, and counts them at
 * their sites. Any Java thread, under the profile's dump lock. */
void object_traces_sweep(struct alloc *alloc, JNIEnv *jni);

#endif
