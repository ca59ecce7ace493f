/*
 * sample_ring.c: see sample_ring.h. Records are contiguous: a record that would cross
 * the end of the buffer is placed at its start, and a filler record covers the rest.
 * head and tail only grow; their difference is the number of bytes in use.
 */
#include "sampling/sample_ring.h"

#include "os/os.h"

#include <string.h>

enum {
	SMALLEST_RING = 64 * 1024,
	LARGEST_SAMPLES = 32 + 1, /* of full depth; the filler may take the space of one */
	RECORD_ALIGNMENT = 8,
	FILLER = INT32_MIN /* frame_count of a filler */
};

static uint32_t record_bytes(uint32_t frames)
{
	size_t bytes = sizeof(struct raw_sample) + frames * sizeof(struct raw_frame);
	return (uint32_t)((bytes + RECORD_ALIGNMENT - 1) / RECORD_ALIGNMENT * RECORD_ALIGNMENT);
}

bool sample_ring_init(struct sample_ring *ring, uint32_t max_frames)
{
	size_t size = (size_t)record_bytes(max_frames) * LARGEST_SAMPLES;

	memset(ring, 0, sizeof(*ring));
	ring->size = size < SMALLEST_RING ? SMALLEST_RING : size;
	ring->max_frames = max_frames;
	ring->memory = os_pages_alloc(ring->size);
	return ring->memory != NULL;
}

void sample_ring_destroy(struct sample_ring *ring)
{
	if (ring->memory != NULL)
		os_pages_free(ring->memory, ring->size);
	ring->memory = NULL;
}

static struct raw_sample *at(const struct sample_ring *ring, size_t position)
{
	return (struct raw_sample *)(void *)(ring->memory + position % ring->size);
}

static size_t left_until_end(const struct sample_ring *ring, size_t position)
{
	return ring->size - position % ring->size;
}

/* Space too short for a filler's header is skipped without one, by both sides. */
static bool too_short_for_filler(size_t left)
{
	return left < sizeof(struct raw_sample);
}

struct raw_sample *sample_ring_reserve(struct sample_ring *ring)
{
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	size_t needed = record_bytes(ring->max_frames);
	size_t left = left_until_end(ring, head);
	size_t skipped = left < needed ? left : 0;

	if (ring->size - (head - tail) < needed + skipped)
		return NULL;
	if (skipped > 0) {
		if (!too_short_for_filler(skipped)) {
			struct raw_sample *filler = at(ring, head);
			filler->frame_count = FILLER;
			filler->bytes = (uint32_t)skipped;
		}
		atomic_store_explicit(&ring->head, head + skipped, memory_order_release);
		head += skipped;
	}
	return at(ring, head);
}

void sample_ring_commit(struct sample_ring *ring, struct raw_sample *sample)
{
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint32_t frames = sample->frame_count > 0 ? (uint32_t)sample->frame_count : 0;

	sample->bytes = record_bytes(frames);
	atomic_store_explicit(&ring->head, head + sample->bytes, memory_order_release);
}

bool sample_ring_is_half_full(const struct sample_ring *ring)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	return head - tail > ring->size / 2;
}

const struct raw_sample *sample_ring_peek(struct sample_ring *ring)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	while (tail != atomic_load_explicit(&ring->head, memory_order_acquire)) {
		size_t left = left_until_end(ring, tail);
		const struct raw_sample *sample = at(ring, tail);

		if (!too_short_for_filler(left) && sample->frame_count != FILLER)
			return sample;
		tail += left;
		atomic_store_explicit(&ring->tail, tail, memory_order_release);
	}
	return NULL;
}

void sample_ring_pop(struct sample_ring *ring, const struct raw_sample *sample)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	atomic_store_explicit(&ring->tail, tail + sample->bytes, memory_order_release);
}
