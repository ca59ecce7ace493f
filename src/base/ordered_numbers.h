/*
 * ordered_numbers.h: a search in an array of numbers that ascend. No memory is allocated; any
 * thread, also where only memory may be read.
 */
#ifndef HPROF_BASE_ORDERED_NUMBERS_H
#define HPROF_BASE_ORDERED_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Where the first number is that is not less than that one; count if there is none. */
static inline size_t ordered_numbers_find(const uint32_t *numbers, size_t count, uint32_t number)
{
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
