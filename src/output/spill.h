/*
 * spill.h: a queue of bytes in temporary files, for more bytes than memory should
 * hold. The files have no name and can't be opened by other processes; their disk
 * space is released piece by piece.
 *
 * No lock of its own; the owner's lock guards it.
 */
#ifndef HPROF_OUTPUT_SPILL_H
#define HPROF_OUTPUT_SPILL_H

#include <stddef.h>
#include <stdint.h>

struct spill_segment;

struct spill {
	struct spill_segment *segments; /* oldest first */
	uint64_t length;                /* bytes in the queue */
};

/* An empty spill; opens no file. */
void spill_init(struct spill *spill);

/* Drops all bytes and closes the files; the spill is then empty. */
void spill_free(struct spill *spill);

/* Appends all bytes and returns 0, or none and returns an os.h code; after that, nothing more
 * may be appended. */
int spill_append(struct spill *spill, const void *bytes, size_t length);

/* Removes up to size of the oldest bytes; *got is their number, 0 only if the spill is
 * empty. Returns 0, or an os.h code, and then removes none. */
int spill_take(struct spill *spill, void *bytes, size_t size, size_t *got);

#endif
