/*
 * heap_delivery.c: see heap_delivery.h. One chunk is in transit at a time. It belongs to
 * the thread while under_way is set, to the caller otherwise; two events signal the changes.
 */
#include "output/heap_delivery.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* A fallback: a waiting thread is woken by its event. */
enum { WAIT_MS = 1000 };

struct heap_delivery {
	struct record_writer *writer;
	struct os_thread_handle thread;
	struct os_event given;     /* wakes the thread: a chunk, or the end */
	struct os_event delivered; /* wakes the caller */
	struct byte_buffer chunk;
	uint64_t segment_bytes;
	_Atomic bool under_way; /* the chunk belongs to the thread */
	_Atomic bool ended;
};

void heap_delivery_write(struct record_writer *writer, const struct byte_buffer *chunk,
                         uint64_t segment_bytes)
{
	if (segment_bytes > 0)
		writer_heap_segment(writer, segment_bytes);
	writer_stream_write(writer, chunk->bytes, chunk->length);
}

static void run(void *argument)
{
	struct heap_delivery *delivery = argument;

	for (;;) {
		bool ended = atomic_load(&delivery->ended);
		if (atomic_load(&delivery->under_way)) {
			heap_delivery_write(delivery->writer, &delivery->chunk,
			                    delivery->segment_bytes);
			atomic_store(&delivery->under_way, false);
			os_event_signal(&delivery->delivered);
		} else if (ended) {
			return;
		} else {
			(void)os_event_wait(&delivery->given, WAIT_MS);
		}
	}
}

static void release(struct heap_delivery *delivery)
{
	os_event_destroy(&delivery->given);
	os_event_destroy(&delivery->delivered);
	byte_buffer_free(&delivery->chunk);
	free(delivery);
}

struct heap_delivery *heap_delivery_start(struct record_writer *writer)
{
	struct heap_delivery *delivery = calloc(1, sizeof(*delivery));

	if (delivery == NULL)
		return NULL;
	delivery->writer = writer;
	byte_buffer_init(&delivery->chunk);
	if (os_event_init(&delivery->given) != 0) {
		free(delivery);
		return NULL;
	}
	if (os_event_init(&delivery->delivered) != 0) {
		os_event_destroy(&delivery->given);
		free(delivery);
		return NULL;
	}
	if (os_thread_start(&delivery->thread, run, delivery) != 0) {
		release(delivery);
		return NULL;
	}
	return delivery;
}

void heap_delivery_submit(struct heap_delivery *delivery, struct byte_buffer *chunk,
                          uint64_t segment_bytes)
{
	while (atomic_load(&delivery->under_way))
		(void)os_event_wait(&delivery->delivered, WAIT_MS);
	struct byte_buffer empty = delivery->chunk;
	byte_buffer_truncate(&empty, 0);
	delivery->chunk = *chunk;
	delivery->segment_bytes = segment_bytes;
	*chunk = empty;
	atomic_store(&delivery->under_way, true);
	os_event_signal(&delivery->given);
}

void heap_delivery_end(struct heap_delivery *delivery)
{
	if (delivery == NULL)
		return;
	atomic_store(&delivery->ended, true);
	os_event_signal(&delivery->given);
	os_thread_join(&delivery->thread);
	release(delivery);
}
