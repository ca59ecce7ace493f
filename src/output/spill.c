/*
 * spill.c: see spill.h. The bytes are in segments of one file each. A segment is
 * closed when it has been read, so the disk holds little more than the waiting bytes.
 */
#include "output/spill.h"

#include "os/os.h"

#include <stdlib.h>
#include <utlist.h>

/* A segment of this size or more is not appended to. */
#define SEGMENT_BYTES (UINT64_C(64) * 1024 * 1024)

struct spill_segment {
	struct os_file file;
	uint64_t written;
	uint64_t taken;
	struct spill_segment *prev;
	struct spill_segment *next;
};

void spill_init(struct spill *spill)
{
	spill->segments = NULL;
	spill->length = 0;
}

static void remove_segment(struct spill *spill, struct spill_segment *segment)
{
	DL_DELETE(spill->segments, segment);
	(void)os_file_close(&segment->file);
	free(segment);
}

void spill_free(struct spill *spill)
{
	while (spill->segments != NULL)
		remove_segment(spill, spill->segments);
	spill->length = 0;
}

static int add_segment(struct spill *spill)
{
	struct spill_segment *segment = calloc(1, sizeof(*segment));
	if (segment == NULL)
		return OS_NO_MEMORY;
	int error = os_file_temporary(NULL, &segment->file);
	if (error != 0) {
		free(segment);
		return error;
	}
	DL_APPEND(spill->segments, segment);
	return 0;
}

int spill_append(struct spill *spill, const void *bytes, size_t length)
{
	if (length == 0)
		return 0;
	/* The head's prev is the last one. */
	if (spill->segments == NULL || spill->segments->prev->written >= SEGMENT_BYTES) {
		int error = add_segment(spill);
		if (error != 0)
			return error;
	}
	struct spill_segment *last = spill->segments->prev;
	int error = os_file_write(&last->file, bytes, length);
	if (error != 0)
		return error;
	last->written += length;
	spill->length += length;
	return 0;
}

int spill_take(struct spill *spill, void *bytes, size_t size, size_t *got)
{
	struct spill_segment *first = spill->segments;

	*got = 0;
	if (first == NULL || size == 0)
		return 0;
	uint64_t left = first->written - first->taken;
	size_t length = left < size ? (size_t)left : size;
	int error = os_file_read_at(&first->file, first->taken, bytes, length);
	if (error != 0)
		return error;
	*got = length;
	first->taken += length;
	spill->length -= length;
	if (first->taken == first->written)
		remove_segment(spill, first);
	return 0;
}
