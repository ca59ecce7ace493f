/*
 * tracker_words.h: addresses as instrumented Java code (java/lang/HprofTracker) reads them, with
 * something else in the same word. Memory is aligned to 8 bytes, so an address is kept in units
 * of these: programs have addresses of 48 bits (Linux on 64-bit ARM), and such with the upper bits
 * set (Solaris).
 */
#ifndef HPROF_CALLS_TRACKER_WORDS_H
#define HPROF_CALLS_TRACKER_WORDS_H

#include <stdint.h>

enum { TRACKER_UNIT_LOG2 = 3, TRACKER_ADDRESS_BITS = 48 };

/* A table of callees: its address, sign-extended, and above it its number of places, at most 2^16,
 * less one. A table whose address does not fit is at another address in the word. */
static inline uint64_t callees_word(uintptr_t table, uint32_t places)
{
	uint64_t units = (uint64_t)table >> TRACKER_UNIT_LOG2;
	return units << (64 - TRACKER_ADDRESS_BITS) >> (64 - TRACKER_ADDRESS_BITS) |
	       (uint64_t)(places - 1) << TRACKER_ADDRESS_BITS;
}

static inline uintptr_t callees_word_table(uint64_t word)
{
	int64_t units = (int64_t)(word << (64 - TRACKER_ADDRESS_BITS));
	return (uintptr_t)(units >> (64 - TRACKER_ADDRESS_BITS - TRACKER_UNIT_LOG2));
}

static inline uint32_t callees_word_mask(uint64_t word)
{
	return (uint32_t)(word >> TRACKER_ADDRESS_BITS);
}

#endif
