/*
 * object_shapes.h: what objects take in the heap, by class, in a word: an instance so many
 * bytes, an array a header, and a power of two of bytes for each element. As GetObjectSize
 * tells.
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

/* Learns how arrays are laid out, from some that it makes. NULL without memory, in which
 * the VM may fail too. Live phase. */
struct object_shapes *object_shapes_create(struct profile *profile, JNIEnv *jni);
void object_shapes_destroy(struct object_shapes *shapes);

/* The shape of objects of the class, which is record's; instances of it exist, or are being
 * made. Makes one more of a class that it does not know yet, if it is no class of arrays,
 * without running its constructor; that is lost at once. class may be NULL: then it must be
 * known. 0 when it can't be had. On any thread without a pending exception, from the live phase
 * on; takes no lock. */
object_shape object_shapes_learn(struct object_shapes *shapes, JNIEnv *jni, jclass class,
                                 const struct class_record *record);

#endif
