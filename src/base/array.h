/*
 * array.h: growing arrays. Pure, except for the heap.
 */
#ifndef HPROF_BASE_ARRAY_H
#define HPROF_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Ensures that an array, of elements of size bytes, has room for one after count. array is the
 * address of the pointer to it. False when out of memory. */
bool array_grow(void *array, size_t *capacity, size_t count, size_t size);

#endif
