/*
 * heap_objects.h: counts the objects of a binary heap dump by class, and computes their sizes
 * when all have been counted: what is needed for it may come after them in the file. Memory
 * grows with the number of classes. One thread; no lock.
 */
#ifndef HPROF_REPORT_HEAP_OBJECTS_H
#define HPROF_REPORT_HEAP_OBJECTS_H

#include "report/heap_histogram.h"
#include "report/heap_layout.h"

struct class_objects;

/* Arrays of one class. The padding of an array depends on its length modulo the alignment. */
struct array_objects {
	uint64_t count;
	uint64_t elements;
	uint64_t by_remainder[HEAP_ALIGNMENT_MAX];
};

struct heap_objects {
	struct heap_layout layout;
	unsigned id_size;          /* of the file */
	struct address_map places; /* id of a class to its index in classes */
	struct class_objects *classes;
	size_t count;
	size_t capacity;
	struct array_objects primitive[HEAP_LAYOUT_TYPES]; /* by the type of elements */
};

void heap_objects_init(struct heap_objects *objects, unsigned id_size);
void heap_objects_free(struct heap_objects *objects);

/* Counts an INSTANCE DUMP, OBJECT ARRAY DUMP or PRIMITIVE ARRAY DUMP. False when out of
 * memory. */
bool heap_objects_add(struct heap_objects *objects, const struct hprof_sub_record *sub);

/* The name of the class with that id, or if the id is 0 of arrays of that type. NULL when out of
 * memory. */
typedef const struct string *heap_objects_name(void *context, uint64_t class_id, uint8_t type);

/* Adds all objects to the histogram, with the sizes of layout if it is_known, and else the bytes
 * of their values. False when out of memory. */
bool heap_objects_list(struct heap_objects *objects, bool is_known,
                       struct heap_histogram *histogram, heap_objects_name *name_of, void *context);

#endif
