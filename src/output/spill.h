/*
 * spill.h: bytes that wait in temporary files because they are too many for memory:
 * what is appended comes out again in the same order. The files have no name, can
 * be read by nobody else, and give their room back piece by piece.
 *
 * No lock; the owner's covers it.
 */
#ifndef HPROF_OUTPUT_SPILL_H
#define HPROF_OUTPUT_SPILL_H

#include <stddef.h>
#include <stdint.h>

struct spill_segment;

struct spill {
	struct spill_segment *segments; /* oldest first */
	uint64_t length;                /* bytes that wait */
};

/* An empty one; opens nothing. */
void spill_init(struct spill *spill);

/* Drops what waits and closes the files; it is then empty. */
void spill_free(struct spill *spill);

/* Appends all bytes, or, with an os.h code, none; after that nothing may be appended. */
int spill_append(struct spill *spill, const void *bytes, size_t length);

/* Takes up to size of the oldest bytes out; *got says how many, 0 only of none. A
 * failure, an os.h code, takes none. */
int spill_take(struct spill *spill, void *bytes, size_t size, size_t *got);

#endif
