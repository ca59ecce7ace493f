/*
 * clocks.h: what the clocks of this directory share. Private to the platform layer.
 */
#ifndef HPROF_OS_CLOCKS_H
#define HPROF_OS_CLOCKS_H

#include <stdint.h>

/* Nanoseconds of count at rate counts a second, cut off. rate is below 2^34, so
 * that nothing overflows before 584 years are over. */
uint64_t clocks_scale(uint64_t count, uint64_t rate);

#endif
