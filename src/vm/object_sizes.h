/*
 * object_sizes.h: the sizes of objects in the heap, from GetObjectSize: of arrays by
 * their length, of instances by their class. For heap dumps as text.
 */
#ifndef HPROF_VM_OBJECT_SIZES_H
#define HPROF_VM_OBJECT_SIZES_H

#include "profile/profile.h"

#include <stdint.h>

struct object_sizes;

/* Learns how arrays are laid out, from some that it makes. NULL without memory, in which
 * the VM may fail too. Live phase. */
struct object_sizes *object_sizes_create(struct profile *profile, JNIEnv *jni);
void object_sizes_destroy(struct object_sizes *sizes);

/* Looks for an instance of each class in the heap, once through all of it. False with an
 * error of JVM TI. Live phase, under the profile's dump lock; all loaded classes are in
 * the class registry. */
bool object_sizes_learn(struct object_sizes *sizes);

/* The size of an instance of that class, 0 when there was none. The layout of java.lang.Class
 * depends on the class it stands for: this is the least. */
uint64_t object_sizes_instance(const struct object_sizes *sizes, const struct class_record *class);

/* The size of an array of that many elements of that type (enum hprof_type). */
uint64_t object_sizes_array(const struct object_sizes *sizes, uint8_t type, uint32_t length);

/* What such an array takes before its elements, and each of them; false for what is no type. */
bool object_sizes_layout(const struct object_sizes *sizes, uint8_t type, uint64_t *header,
                         uint64_t *element);

/* What sizes are multiples of: a power of two. */
uint64_t object_sizes_alignment(const struct object_sizes *sizes);

#endif
