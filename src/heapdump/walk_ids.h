/*
 * walk_ids.h: the ids of the objects of one heap walk. An object's JVM TI tag holds its id in
 * the output; a table by id holds what its record needs later: the trace that allocated it
 * and, for an array, its length.
 *
 * Callable in heap callbacks: memory comes in whole pages from the system, never from malloc.
 * No lock: the thread that dumps and the walk's callbacks, which run while it waits.
 */
#ifndef HPROF_HEAPDUMP_WALK_IDS_H
#define HPROF_HEAPDUMP_WALK_IDS_H

#include "alloc/object_traces.h"
#include "model/object_ids.h"

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/* The table grows in pieces of WALK_PIECE_OBJECTS. */
enum { WALK_PIECE_OBJECTS = 1 << 20, WALK_PIECES_MAX = 1 << 14 };

/* Tags of a walk are trace tags (see object_traces.h) with one more bit set. */
#define WALK_TAG_BIT (TRACE_TAG_BIT >> 1)
#define WALK_TAG (TRACE_TAG_BIT | WALK_TAG_BIT)

struct walk_note {
	uint32_t trace_serial;
	uint32_t length; /* of an array, in elements */
};

struct walk_ids {
	struct object_ids *source;
	uint64_t first; /* the lowest id in the table */
	uint64_t count; /* objects that have received an id */
	struct walk_note *pieces[WALK_PIECES_MAX];
};

/* New ids come from source, which must outlive the walk. */
void walk_ids_init(struct walk_ids *ids, struct object_ids *source);
void walk_ids_free(struct walk_ids *ids);

static inline bool walk_ids_is_tag(jlong tag)
{
	return (tag & WALK_TAG) == WALK_TAG;
}

static inline uint64_t walk_ids_of_tag(jlong tag)
{
	return (uint64_t)tag & ~(uint64_t)WALK_TAG;
}

static inline jlong walk_ids_tag(uint64_t id)
{
	return WALK_TAG | (jlong)id;
}

/* The id of the object or class with that tag. An object without an id gets one, and *tag
 * becomes its new tag; length is the number of elements of an array, negative for other
 * objects. Returns 0 when out of memory. */
uint64_t walk_ids_assign(struct walk_ids *ids, jlong *tag, jint length);

/* The serial of the trace that allocated the object; TRACE_SERIAL_EMPTY if unknown. */
uint32_t walk_ids_trace(const struct walk_ids *ids, uint64_t id);

/* The number of elements of the array; 0 for other objects. */
uint32_t walk_ids_length(const struct walk_ids *ids, uint64_t id);

#endif
