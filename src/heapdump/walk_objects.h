/*
 * walk_objects.h: puts the records of objects together while the heap is walked. All fields and
 * elements of one object are reported without another object's between them (every version
 * of HotSpot does so). One object is open at a time: its record is completed when the
 * next one begins.
 *
 * Callable in heap callbacks (see walk_dump.c). No lock: the thread that dumps and the walk's
 * callbacks, which run while it waits.
 */
#ifndef HPROF_HEAPDUMP_WALK_OBJECTS_H
#define HPROF_HEAPDUMP_WALK_OBJECTS_H

#include "heapdump/class_layouts.h"
#include "heapdump/walk_ids.h"
#include "output/heap_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct walk_objects {
	const struct walk_ids *ids;
	const struct class_layouts *layouts;
	struct heap_writer *heap;
	bool out_of_order; /* an element was reported after a later one, and was not written */

	/* The open object. */
	uint64_t id;                       /* 0: none has begun yet */
	const struct class_layout *layout; /* NULL: none is open, or its class is unknown */
	uint8_t *values;                   /* of an instance; room for those of any class */
	uint32_t length;                   /* of an array, in elements */
	uint32_t next;                     /* index of the first element not written yet */
};

/* False when out of memory. Records go to heap; ids, layouts and heap must outlive the walk. */
bool walk_objects_init(struct walk_objects *objects, const struct walk_ids *ids,
                       const struct class_layouts *layouts, struct heap_writer *heap);
void walk_objects_free(struct walk_objects *objects);

/* Opens the object with that walk tag, unless it is open, and completes the record of the
 * one before. class_tag is the tag of its class. */
void walk_objects_begin(struct walk_objects *objects, jlong tag, jlong class_tag);

/* Completes the record of the open object, if there is one. */
void walk_objects_end(struct walk_objects *objects);

/* Sets a field of the open instance: JVM TI's index of the field, and its value. */
void walk_objects_set_field(struct walk_objects *objects, jint index, uint64_t value);

/* Writes an element of the open object array. Elements that are never set are null. */
void walk_objects_set_element(struct walk_objects *objects, jint index, uint64_t id);

/* Writes the whole record of a primitive array, with count elements in the byte order of
 * this machine. */
void walk_objects_add_primitive_array(struct walk_objects *objects, jlong tag, jlong class_tag,
                                      const void *elements, uint32_t count);

#endif
