/*
 * array.c: see array.h.
 */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Few: some arrays exist once for each class or thread. */
enum { FIRST_ELEMENTS = 16 };

/* Returns the array, moved; NULL when out of memory. */
static void *resize(void *array, size_t count, size_t size)
{
	void *elements;

	if (count > SIZE_MAX / 2 / size)
		return NULL;
	memcpy(&elements, array, sizeof(elements));
	void *moved = realloc(elements, count * size);
	if (moved != NULL)
		memcpy(array, &moved, sizeof(moved));
	/* cppcheck-suppress memleak ; *array has it */
	return moved;
}

bool array_grow(void *array, size_t *capacity, size_t count, size_t size)
{
	size_t larger = count == 0 ? FIRST_ELEMENTS : count * 2;

	if (count < *capacity)
		return true;
	if (resize(array, larger, size) == NULL)
		return false;
	*capacity = larger;
	return true;
}

bool array_cover(void *array, size_t *capacity, size_t index, size_t size)
{
	size_t larger = *capacity == 0 ? FIRST_ELEMENTS : *capacity;

	if (index < *capacity)
		return true;
	while (larger <= index && larger <= SIZE_MAX / 2)
		larger *= 2;
	uint8_t *moved = larger <= index ? NULL : resize(array, larger, size);
	if (moved == NULL)
		return false;
	memset(moved + *capacity * size, 0, (larger - *capacity) * size);
	*capacity = larger;
	return true;
}
