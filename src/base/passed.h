/*
 * passed.h: how much a clock or a count has advanced between two readings. No state; any thread.
 */
#ifndef HPROF_BASE_PASSED_H
#define HPROF_BASE_PASSED_H

#include <stdint.h>

/* What has passed since *last, which becomes now; 0 if now is less. */
static inline uint64_t passed_since(uint64_t *last, uint64_t now)
{
	uint64_t passed = now > *last ? now - *last : 0;
	*last = now;
	return passed;
}

#endif
