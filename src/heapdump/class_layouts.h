/*
 * class_layouts.h: the fields of all loaded classes, for a heap walk. JVM TI names a field by an
 * index that counts through the fields of a class, its superclasses and its interfaces. Built
 * before the walk, on the thread that dumps; read and completed in the callbacks, which run
 * while that thread waits. No lock.
 */
#ifndef HPROF_HEAPDUMP_CLASS_LAYOUTS_H
#define HPROF_HEAPDUMP_CLASS_LAYOUTS_H

#include "heapdump/loaded_classes.h"
#include "hprof/heap_records.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class_layouts;

/* A field, found by its JVM TI index. */
struct layout_slot {
	bool is_static;
	uint8_t type;
	uint32_t at; /* offset in the values of an instance, or index of the static */
};

/* A class: its fields, and what the walk finds out about it. */
struct class_layout {
	const struct class_record *record; /* NULL: no class has this serial */
	uint32_t super;                    /* class serial, 0 for none */
	uint8_t element;                   /* element type of an array class, else 0 */
	size_t first_index;                /* JVM TI index of slots[0] */
	size_t slot_count;                 /* fields of java.lang.Object first, its own last */
	struct layout_slot *slots;
	uint32_t values_length;
	uint16_t field_count; /* its own instance fields */
	struct heap_field *fields;
	uint16_t static_count;
	struct heap_static *statics; /* values are set by the walk */
	uint64_t loader_id;
	uint64_t signers_id;
	uint64_t domain_id;
	size_t constant_count;
	size_t constant_capacity;
	struct heap_constant *constants;
};

/* Reads the fields of the classes by JVM TI. NULL when out of memory. Live phase. */
struct class_layouts *class_layouts_create(struct profile *profile, JNIEnv *jni,
                                           const struct loaded_classes *classes);
void class_layouts_destroy(struct class_layouts *layouts);

/* The layout of the class with that serial; NULL when it is not one of the listed classes. */
struct class_layout *class_layouts_find(const struct class_layouts *layouts, uint32_t serial);

/* The layout of the class whose JVM TI tag that is; NULL when there is none. */
struct class_layout *class_layouts_find_by_tag(const struct class_layouts *layouts, jlong tag);

/* Iterates over all layouts: *serial is 0 before the first call. NULL at the end. */
struct class_layout *class_layouts_next(const struct class_layouts *layouts, uint32_t *serial);

/* The largest values_length of all layouts. */
uint32_t class_layouts_longest_values(const struct class_layouts *layouts);

/* The field with JVM TI's index, static or not; NULL for fields of interfaces and for an index
 * out of range. */
const struct layout_slot *class_layout_slot(const struct class_layout *layout, jint index);

/* Sets the value of the static field with JVM TI's index; other fields are left alone. */
void class_layout_set_static(struct class_layout *layout, jint index, uint64_t value);

/* Adds a reference of the constant pool. An index that the output cannot hold is left out.
 * False when out of memory. */
bool class_layout_add_constant(struct class_layout *layout, jint index, uint64_t id);

#endif
