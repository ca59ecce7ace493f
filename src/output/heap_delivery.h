/*
 * heap_delivery.h: writes chunks of a heap dump to the record writer on a separate thread,
 * so that the dumping thread can produce the next chunk at the same time: both take about as
 * long. All functions are called on the dumping thread.
 */
#ifndef HPROF_OUTPUT_HEAP_DELIVERY_H
#define HPROF_OUTPUT_HEAP_DELIVERY_H

#include "base/byte_buffer.h"
#include "output/record_writer.h"

#include <stdint.h>

struct heap_delivery;

/* Writes a chunk on the calling thread: as the start of a segment of segment_bytes, or, for
 * 0, without a segment head. Errors are the writer's. */
void heap_delivery_write(struct record_writer *writer, const struct byte_buffer *chunk,
                         uint64_t segment_bytes);

/* Starts the thread; NULL without memory or if no thread can be started. The writer must be in
 * a stream until heap_delivery_end() has returned. */
struct heap_delivery *heap_delivery_start(struct record_writer *writer);

/* Passes a chunk to the thread, which writes it after the earlier ones as
 * heap_delivery_write() does, and replaces it by an empty one. Waits until the previous chunk
 * has been written. */
void heap_delivery_submit(struct heap_delivery *delivery, struct byte_buffer *chunk,
                          uint64_t segment_bytes);

/* Waits until all chunks are written, ends the thread and frees the delivery. NULL is
 * allowed. */
void heap_delivery_end(struct heap_delivery *delivery);

#endif
