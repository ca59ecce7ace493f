/*
 * heap_records.h: what a heap dump consists of, whatever the format ("HEAP DUMP" of
 * the HPROF manual). Structs that live for one call; whoever fills them owns what they
 * point to.
 */
#ifndef HPROF_OUTPUT_HEAP_RECORDS_H
#define HPROF_OUTPUT_HEAP_RECORDS_H

#include "model/model.h"

#include <stddef.h>
#include <stdint.h>

/* The types of values ("Basic Type"). */
enum heap_type {
	HEAP_TYPE_OBJECT = 2,
	HEAP_TYPE_BOOLEAN = 4,
	HEAP_TYPE_CHAR = 5,
	HEAP_TYPE_FLOAT = 6,
	HEAP_TYPE_DOUBLE = 7,
	HEAP_TYPE_BYTE = 8,
	HEAP_TYPE_SHORT = 9,
	HEAP_TYPE_INT = 10,
	HEAP_TYPE_LONG = 11
};

/* The sub-records, by their tags in the binary format. */
enum heap_tag {
	HEAP_ROOT_UNKNOWN = 0xff,
	HEAP_ROOT_JNI_GLOBAL = 0x01,
	HEAP_ROOT_JNI_LOCAL = 0x02,
	HEAP_ROOT_JAVA_FRAME = 0x03,
	HEAP_ROOT_NATIVE_STACK = 0x04,
	HEAP_ROOT_STICKY_CLASS = 0x05,
	HEAP_ROOT_THREAD_BLOCK = 0x06,
	HEAP_ROOT_MONITOR_USED = 0x07,
	HEAP_ROOT_THREAD_OBJECT = 0x08,
	HEAP_CLASS_DUMP = 0x20,
	HEAP_INSTANCE_DUMP = 0x21,
	HEAP_OBJECT_ARRAY_DUMP = 0x22,
	HEAP_PRIMITIVE_ARRAY_DUMP = 0x23
};

/* The frame of a root that is in no frame. */
#define HEAP_FRAME_NONE UINT32_MAX

/* The type of what has a JVM signature that begins with that character. */
static inline uint8_t heap_type_of(char signature)
{
	switch (signature) {
	case 'Z':
		return HEAP_TYPE_BOOLEAN;
	case 'C':
		return HEAP_TYPE_CHAR;
	case 'F':
		return HEAP_TYPE_FLOAT;
	case 'D':
		return HEAP_TYPE_DOUBLE;
	case 'B':
		return HEAP_TYPE_BYTE;
	case 'S':
		return HEAP_TYPE_SHORT;
	case 'I':
		return HEAP_TYPE_INT;
	case 'J':
		return HEAP_TYPE_LONG;
	default:
		return HEAP_TYPE_OBJECT;
	}
}

/* Bytes of a value of that type, or 0 for what is not a type. Objects are ids. */
static inline unsigned heap_type_size(unsigned type, unsigned id_size)
{
	switch (type) {
	case HEAP_TYPE_OBJECT:
		return id_size;
	case HEAP_TYPE_BOOLEAN:
	case HEAP_TYPE_BYTE:
		return 1;
	case HEAP_TYPE_CHAR:
	case HEAP_TYPE_SHORT:
		return 2;
	case HEAP_TYPE_FLOAT:
	case HEAP_TYPE_INT:
		return 4;
	case HEAP_TYPE_DOUBLE:
	case HEAP_TYPE_LONG:
		return 8;
	default:
		return 0;
	}
}

/* The beginning of a dump: how much follows, as the text format tells it. */
struct heap_begin {
	int64_t wall_ms;
	uint64_t object_count; /* instances and arrays */
	uint64_t object_bytes; /* what they take in the heap */
	/* Has all traces that the dump names, so that they are written before it; NULL: they
	 * are in another file. */
	struct trace_table *traces;
};

struct heap_root {
	enum heap_tag kind;
	uint64_t object_id;
	uint32_t thread_serial;           /* JNI_LOCAL, JAVA_FRAME, NATIVE_STACK, THREAD_* */
	uint32_t frame;                   /* JNI_LOCAL, JAVA_FRAME: index in the thread's trace */
	uint32_t trace_serial;            /* JNI_GLOBAL, THREAD_OBJECT */
	uint64_t jni_id;                  /* JNI_GLOBAL: of the reference */
	const struct class_record *class; /* STICKY_CLASS */
};

struct heap_constant {
	uint16_t index;
	uint8_t type;   /* enum heap_type */
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
	uint32_t instance_size; /* bytes of the values of an INSTANCE DUMP, supers included */
	uint16_t constant_count;
	const struct heap_constant *constants;
	uint16_t static_count;
	const struct heap_static *statics;
	uint16_t field_count; /* its own */
	const struct heap_field *fields;
};

struct heap_instance {
	uint64_t object_id;
	uint32_t trace_serial;
	uint64_t size; /* in the heap, for text */
	const struct class_record *class;
	/* The values as the binary format has them: this class's fields, its super class's
	 * and so on, highest byte first, ids of the writer's size. */
	const uint8_t *values;
	uint32_t values_length;
	size_t field_count; /* of all of them */
	const struct heap_field *fields;
};

/* An array; its elements follow in pieces. */
struct heap_array {
	uint64_t object_id;
	uint32_t trace_serial;
	uint64_t size; /* in the heap, for text */
	uint32_t length;
	const struct class_record *class; /* of the array; object arrays alone */
	uint8_t type;                     /* of an element */
};

#endif
