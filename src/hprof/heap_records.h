/*
 * heap_records.h: the parts of a heap dump, for all formats ("HEAP DUMP" of the HPROF
 * manual). Each struct is valid during one call; the caller owns everything it points to.
 */
#ifndef HPROF_HPROF_HEAP_RECORDS_H
#define HPROF_HPROF_HEAP_RECORDS_H

#include "hprof/tags.h"
#include "model/model.h"

#include <stddef.h>
#include <stdint.h>

/* The frame of a root that is not in a frame. */
#define HEAP_FRAME_NONE UINT32_MAX

/* The type of a value whose JVM signature begins with that character. */
static inline uint8_t heap_type_of(char signature)
{
	switch (signature) {
	case 'Z':
		return HPROF_TYPE_BOOLEAN;
	case 'C':
		return HPROF_TYPE_CHAR;
	case 'F':
		return HPROF_TYPE_FLOAT;
	case 'D':
		return HPROF_TYPE_DOUBLE;
	case 'B':
		return HPROF_TYPE_BYTE;
	case 'S':
		return HPROF_TYPE_SHORT;
	case 'I':
		return HPROF_TYPE_INT;
	case 'J':
		return HPROF_TYPE_LONG;
	default:
		return HPROF_TYPE_OBJECT;
	}
}

/* The size of a value of that type in bytes, or 0 for an unknown type. Objects are ids. */
static inline unsigned heap_type_size(unsigned type, unsigned id_size)
{
	switch (type) {
	case HPROF_TYPE_OBJECT:
		return id_size;
	case HPROF_TYPE_BOOLEAN:
	case HPROF_TYPE_BYTE:
		return 1;
	case HPROF_TYPE_CHAR:
	case HPROF_TYPE_SHORT:
		return 2;
	case HPROF_TYPE_FLOAT:
	case HPROF_TYPE_INT:
		return 4;
	case HPROF_TYPE_DOUBLE:
	case HPROF_TYPE_LONG:
		return 8;
	default:
		return 0;
	}
}

/* The start of a dump, with its size, which the text format prints. */
struct heap_begin {
	int64_t wall_ms;
	uint64_t object_count; /* instances and arrays */
	uint64_t object_bytes; /* their size in the heap */
	/* Contains all traces that the dump refers to, which are written before it; NULL if
	 * they are in another file. */
	struct trace_table *traces;
};

struct heap_root {
	enum hprof_sub_tag kind;
	uint64_t object_id;
	uint32_t thread_serial;           /* JNI_LOCAL, JAVA_FRAME, NATIVE_STACK, THREAD_* */
	uint32_t frame;                   /* JNI_LOCAL, JAVA_FRAME: index in the thread's trace */
	uint32_t trace_serial;            /* JNI_GLOBAL, THREAD_OBJECT */
	uint64_t jni_id;                  /* JNI_GLOBAL: the id of the reference */
	const struct class_record *class; /* STICKY_CLASS */
};

struct heap_constant {
	uint16_t index;
	uint8_t type;   /* enum hprof_type */
	uint64_t value; /* an id, or the bits */
};

struct heap_static {
	const struct string *name;
	uint8_t type;
	uint64_t value;
};

struct heap_field {
	const struct string *name;
	uint8_t type;
};

struct heap_class {
	const struct class_record *class;
	uint32_t trace_serial;
	uint64_t super_id;
	uint64_t loader_id;
	uint64_t signers_id;
	uint64_t domain_id;
	uint32_t instance_size; /* bytes of an INSTANCE DUMP, super classes included */
	uint16_t constant_count;
	const struct heap_constant *constants;
	uint16_t static_count;
	const struct heap_static *statics;
	uint16_t field_count; /* without those of super classes */
	const struct heap_field *fields;
};

struct heap_instance {
	uint64_t object_id;
	uint32_t trace_serial;
	uint64_t size; /* in the heap, for text */
	const struct class_record *class;
	/* The values in the binary format: the fields of this class, then those of its super
	 * class and so on, big-endian, ids in the writer's size. */
	const uint8_t *values;
	uint32_t values_length;
	size_t field_count; /* super classes included */
	const struct heap_field *fields;
};

/* An array; its elements are written after it, in pieces. */
struct heap_array {
	uint64_t object_id;
	uint32_t trace_serial;
	uint64_t size; /* in the heap, for text */
	uint32_t length;
	const struct class_record *class; /* of the array; object arrays only */
	uint8_t type;                     /* of an element */
};

#endif
