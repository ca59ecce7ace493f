/*
 * The attributes of a method and of its code (JVMS 4.7): their kinds, and an
 * iteration over those of Code. Used by the class-file engine only; no locks.
 */
#ifndef HPROF_CLASSFILE_ATTRIBUTES_H
#define HPROF_CLASSFILE_ATTRIBUTES_H

#include "classfile/reader.h"

enum attribute_kind {
	ATTRIBUTE_CODE,
	ATTRIBUTE_STACK_MAP,
	ATTRIBUTE_CLDC_STACK_MAP, /* "StackMap": JVMs of this platform ignore it */
	ATTRIBUTE_LINES,
	ATTRIBUTE_LOCAL_VARIABLES,
	ATTRIBUTE_LOCAL_VARIABLE_TYPES,
	ATTRIBUTE_TYPE_ANNOTATIONS, /* visible and invisible ones */
	ATTRIBUTE_OTHER
};

struct attribute {
	enum attribute_kind kind;
	uint16_t name; /* index of its Utf8 constant */
	uint32_t length;
	const uint8_t *body;
};

struct attribute_walk {
	const uint8_t *at;
	uint32_t left;
};

/* The kind of attribute that a Utf8 constant names; OTHER if it is no Utf8 constant. */
enum attribute_kind attribute_kind(const struct constant_pool *pool, uint16_t name);

/* Iterates over the attributes of a method's Code, whose lengths the reader has checked. */
void attribute_walk_begin(struct attribute_walk *walk, const struct method_record *method);
bool attribute_walk_next(struct attribute_walk *walk, const struct constant_pool *pool,
                         struct attribute *attribute);

#endif
