/*
 * heap_delivery.h: takes chunks of a heap dump to the record writer on a thread of its
 * own, so that the next chunk is made meanwhile: writing takes about as long as making.
 * Functions are called on the thread that dumps.
 */
#ifndef HPROF_OUTPUT_HEAP_DELIVERY_H
#define HPROF_OUTPUT_HEAP_DELIVERY_H

#include "base/byte_buffer.h"
#include "output/record_writer.h"

#include <stdint.h>

struct heap_delivery;

/* Delivers a chunk on the calling thread: as a segment of segment_bytes that begins with
 * it, or, for 0, as it is. Failures are the writer's. */
void heap_delivery_write(struct record_writer *writer, const struct byte_buffer *chunk,
                         uint64_t segment_bytes);

/* Starts the thread; NULL without memory or threads. The writer is in a stream until after
 * the end. */
struct heap_delivery *heap_delivery_start(struct record_writer *writer);

/* Has a chunk delivered, behind those before it, as heap_delivery_write() does, and leaves an
 * empty one in its place. Waits while another is on its way. */
void heap_delivery_submit(struct heap_delivery *delivery, struct byte_buffer *chunk,
                          uint64_t segment_bytes);

/* Waits until all is delivered, ends the thread and frees the delivery; NULL is fine. */
void heap_delivery_end(struct heap_delivery *delivery);

#endif
