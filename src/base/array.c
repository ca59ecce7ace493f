/*
 * array.c: see array.h.
 */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ELEMENTS = 64 };

bool array_grow(void *array, size_t *capacity, size_t count, size_t size)
{
	size_t larger = count == 0 ? FIRST_ELEMENTS : count * 2;
	void *elements;

	if (count < *capacity)
		return true;
	if (larger > SIZE_MAX / 2 / size)
		return false;
	memcpy(&elements, array, sizeof(elements));
	void *moved = realloc(elements, larger * size);
	if (moved == NULL)
		return false;
	memcpy(array, &moved, sizeof(moved));
	*capacity = larger;
	/* cppcheck-suppress memleak ; *array has it */
	return true;
}
