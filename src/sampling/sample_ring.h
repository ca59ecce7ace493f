/*
 * sample_ring.h: stack samples on their way from a signal handler to the thread
 * that resolves them. One producer (the sampled thread, in its handler), one
 * consumer (under the dump lock); no lock, no allocation after the start.
 */
#ifndef HPROF_SAMPLING_SAMPLE_RING_H
#define HPROF_SAMPLING_SAMPLE_RING_H

#include "hotspot/async_call_trace.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct raw_sample {
	uint64_t weight;     /* sample intervals that this stack stands for */
	int32_t frame_count; /* 0 or negative: the reason why there is no stack */
	uint32_t bytes;      /* of the whole record in the ring */
	struct raw_frame frames[];
};

struct sample_ring {
	unsigned char *memory;
	size_t size;
	uint32_t max_frames;
	_Atomic size_t head; /* bytes produced, ever */
	_Atomic size_t tail; /* bytes consumed, ever */
};

/* A ring for samples of up to max_frames frames, 32 of that size at least. False
 * without memory. */
bool sample_ring_init(struct sample_ring *ring, uint32_t max_frames);
void sample_ring_destroy(struct sample_ring *ring);

/* Producer: room for one sample with max_frames frames, or NULL when the ring
 * is full. Nothing is seen by the consumer before the commit. Signal-safe. */
struct raw_sample *sample_ring_reserve(struct sample_ring *ring);

/* Producer: hands over the reserved sample; its weight and frame_count are set
 * and only that many frames are kept. Signal-safe. */
void sample_ring_commit(struct sample_ring *ring, struct raw_sample *sample);

/* Producer: whether it is time to wake the consumer, who otherwise comes now and
 * then. Signal-safe. */
bool sample_ring_is_half_full(const struct sample_ring *ring);

/* Consumer: the oldest sample, or NULL. It stays until sample_ring_pop(). */
const struct raw_sample *sample_ring_peek(struct sample_ring *ring);
void sample_ring_pop(struct sample_ring *ring, const struct raw_sample *sample);

#endif
