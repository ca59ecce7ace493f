/*
 * sample_ring.h: a ring buffer that passes stack samples from a signal handler to the
 * thread that resolves them. One producer (the sampled thread, in its handler) and one
 * consumer (under the dump lock). Lock-free; no allocation after initialization.
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
	uint64_t time_ns;    /* os_monotonic_ns() when it was taken; 0 if nobody needs it */
	int32_t frame_count; /* 0 or negative: the reason for a stackless sample */
	uint32_t bytes;      /* of the whole record in the ring */
	uint32_t mounted;    /* what mounted_serial_sample() returned */
	struct raw_frame frames[];
};

struct sample_ring {
	unsigned char *memory;
	size_t size;
	uint32_t max_frames;
	_Atomic size_t head; /* bytes produced, ever */
	_Atomic size_t tail; /* bytes consumed, ever */
};

/* Initializes a ring with room for at least 32 samples of max_frames frames, the maximum.
 * False without memory. */
bool sample_ring_init(struct sample_ring *ring, uint32_t max_frames);
void sample_ring_destroy(struct sample_ring *ring);

/* Producer: space for one sample with max_frames frames, or NULL when the ring is full.
 * The consumer sees the sample after the commit. Async-signal-safe. */
struct raw_sample *sample_ring_reserve(struct sample_ring *ring);

/* Producer: publishes the reserved sample, whose weight and frame_count are set; space
 * for further frames is given back. Async-signal-safe. */
void sample_ring_commit(struct sample_ring *ring, struct raw_sample *sample);

/* Producer: whether to wake up the consumer, which otherwise polls. Async-signal-safe. */
bool sample_ring_is_half_full(const struct sample_ring *ring);

/* Consumer: the oldest sample, valid until sample_ring_pop(), or NULL. */
const struct raw_sample *sample_ring_peek(struct sample_ring *ring);
void sample_ring_pop(struct sample_ring *ring, const struct raw_sample *sample);

#endif
