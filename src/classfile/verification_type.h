/*
 * Verification types (JVMS 4.10.1.2) and frames of them, as stack maps and the
 * simulation of code use them. Used by the rewriter only, from the rewriting
 * thread; no locks.
 */
#ifndef HPROF_CLASSFILE_VERIFICATION_TYPE_H
#define HPROF_CLASSFILE_VERIFICATION_TYPE_H

#include "classfile/code_edit.h"

enum verification_tag {
	/* As in a StackMapTable (JVMS 4.7.4) */
	TYPE_TOP = 0,
	TYPE_INTEGER = 1,
	TYPE_FLOAT = 2,
	TYPE_DOUBLE = 3,
	TYPE_LONG = 4,
	TYPE_NULL = 5,
	TYPE_UNINITIALIZED_THIS = 6,
	TYPE_OBJECT = 7,
	TYPE_UNINITIALIZED = 8,
	/* Only in simulated states, which count slots */
	TYPE_SECOND_SLOT = 9, /* of a long or double */
	TYPE_ADDRESS = 10     /* pushed by jsr */
};

struct verification_type {
	/* TYPE_OBJECT: the class's name, if index is 0 */
	const uint8_t *name;
	uint16_t name_length;
	/* TYPE_OBJECT: its Class constant; TYPE_UNINITIALIZED: original offset of its new */
	uint16_t index;
	uint8_t tag;
	bool is_array; /* TYPE_OBJECT: an array whose components are of the class named */
};

/* Locals and stack in the manner of a stack map: one entry for a long or double. */
struct frame {
	uint32_t offset; /* in the original code */
	uint32_t local_count;
	uint32_t stack_count;
	struct verification_type *locals;
	struct verification_type *stack;
};

/*
 * The type of a field descriptor that is known to be well formed; name points
 * into it.
 */
struct verification_type verification_type_of(const uint8_t *descriptor, uint32_t length);

/* Slots that a value of the type takes. */
static inline uint32_t verification_type_slots(const struct verification_type *type)
{
	return type->tag == TYPE_LONG || type->tag == TYPE_DOUBLE ? 2 : 1;
}

/* True if both are surely the same type. */
bool verification_type_equals(const struct verification_type *a, const struct verification_type *b);

#endif
