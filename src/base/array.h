/*
 * array.h: growing arrays. Pure, except for the heap.
 */
#ifndef HPROF_BASE_ARRAY_H
#define HPROF_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Ensures that an array, of elements of size bytes, has room for one after count. array is the
 * address of the pointer to it. False when out of memory; the array is then unchanged. */
bool array_grow(void *array, size_t *capacity, size_t count, size_t size);

/* Ensures that an array of elements of size bytes, all below capacity in use, has one with that
 * index; new elements are zero. False when out of memory; the array is then unchanged. */
bool array_cover(void *array, size_t *capacity, size_t index, size_t size);

#endif
