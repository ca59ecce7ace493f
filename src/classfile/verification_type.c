/*
 * Verification types from descriptors, and their comparison. Pure functions:
 * any thread, no locks.
 */
#include "classfile/verification_type.h"

struct verification_type verification_type_of(const uint8_t *descriptor, uint32_t length)
{
	struct verification_type type = {.tag = TYPE_INTEGER};

	switch (descriptor[0]) {
	case 'J':
		type.tag = TYPE_LONG;
		break;
	case 'D':
		type.tag = TYPE_DOUBLE;
		break;
	case 'F':
		type.tag = TYPE_FLOAT;
		break;
	case 'L':
		type.tag = TYPE_OBJECT;
		type.name = descriptor + 1;
		type.name_length = (uint16_t)(length - 2);
		break;
	case '[':
		type.tag = TYPE_OBJECT;
		type.name = descriptor;
		type.name_length = (uint16_t)length;
		break;
	default:
		break;
	}
	return type;
}

bool verification_type_equals(const struct verification_type *a, const struct verification_type *b)
{
	return a->tag == b->tag && a->index == b->index && a->name == b->name &&
	       a->name_length == b->name_length && a->is_array == b->is_array;
}
