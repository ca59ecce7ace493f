/*
 * object_shapes.h: the size of a class's objects in one word: the bytes of an instance, or
 * an array's header and the bytes of an element, a power of two. Equal to
 * GetObjectSize's answers.
 */
#ifndef HPROF_ALLOC_OBJECT_SHAPES_H
#define HPROF_ALLOC_OBJECT_SHAPES_H

#include "profile/profile.h"

#include <stdint.h>

/* From bit 0 on: the logarithm of an element's size, plus 1, 0 for no array; that of the
 * alignment; and the bytes of an instance or a header. 0: not known. */
typedef uint32_t object_shape;

enum { SHAPE_ALIGNMENT_BIT = 4, SHAPE_BYTES_BIT = 8, SHAPE_FIELD_MASK = 15 };

static inline bool object_shape_is_array(object_shape shape)
{
	return (shape & SHAPE_FIELD_MASK) != 0;
}

/* The size of an object of that shape; length is that of an array. */
static inline uint64_t object_shape_size(object_shape shape, uint32_t length)
{
	uint64_t bytes = shape >> SHAPE_BYTES_BIT;
	uint32_t element = shape & SHAPE_FIELD_MASK;

	if (element == 0)
		return bytes;
	uint64_t last = ((uint64_t)1 << (shape >> SHAPE_ALIGNMENT_BIT & SHAPE_FIELD_MASK)) - 1;
	return (bytes + ((uint64_t)length << (element - 1)) + last) & ~last;
}

struct object_shapes;

/* An instance that was allocated to learn from, and is dropped after the call. */
typedef void allocated_to_learn(void *argument, JNIEnv *jni, jobject object);

/* Learns the layout of arrays, from some that it allocates. allocated is called, with argument, for
 * each instance that is allocated later. NULL without memory, also of the VM. Live phase. */
struct object_shapes *object_shapes_create(struct profile *profile, JNIEnv *jni,
                                           allocated_to_learn *allocated, void *argument);
void object_shapes_destroy(struct object_shapes *shapes);

/* The shape of objects of the class, which is record's. Instances of it exist, or are being
 * created. For a new class, except of arrays, allocates one instance
 * without running its constructor, and drops it. class may be NULL: then the shape must be
 * known. 0 if it is unknown. On any thread without a pending exception, from the live phase
 * on; takes no lock. */
object_shape object_shapes_learn(struct object_shapes *shapes, JNIEnv *jni, jclass class,
                                 const struct class_record *record);

#endif
