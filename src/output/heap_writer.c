/*
 * heap_writer.c: see heap_writer.h. Sub-records collect in a chunk, which is written to
 * the sink as a segment (binary) or as it is (text). An array larger than a chunk has a
 * segment to itself, whose length is computed before the elements arrive. Uses no lock except
 * the record writer's.
 */
#include "output/heap_writer.h"

#include "hprof/heap_format.h"
#include "output/heap_delivery.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1024 * 1024 };

struct heap_writer {
	struct record_writer *writer;
	const struct heap_format *format;
	unsigned id_size;
	struct byte_buffer chunk;
	struct heap_delivery *delivery; /* NULL for a small dump, or without a thread */
	bool threadless;                /* no thread could be started */
	uint64_t segment_bytes;         /* of a large array's segment, until its head is written */
	uint64_t segment_left; /* bytes of a large array's segment that are still missing */
	uint32_t array_at;     /* index of the next element */
	uint64_t array_left;   /* elements, or bytes, of the array that are still missing */
	size_t whole;          /* bytes of the chunk that are whole sub-records */
	bool any;              /* at least one chunk was written */
};

bool heap_writer_failed(const struct heap_writer *heap)
{
	return heap->chunk.error != 0 || writer_error(heap->writer) != 0;
}

/* The length of the segment that the chunk starts; 0 if it continues one, or in text. */
static uint64_t segment_of_chunk(struct heap_writer *heap)
{
	uint64_t bytes = heap->segment_bytes;

	heap->segment_bytes = 0;
	if (heap->segment_left > 0) {
		heap->segment_left -= heap->chunk.length;
		return bytes;
	}
	return heap->format->segment == NULL ? 0 : heap->chunk.length;
}

/* Writes the chunk to the sink: on the delivery thread, unless it is the last chunk of a dump
 * that has not started one. */
static void flush_chunk(struct heap_writer *heap, bool last)
{
	struct byte_buffer *chunk = &heap->chunk;

	if (chunk->error != 0)
		writer_fail(heap->writer, chunk->error);
	if (chunk->length == 0 || heap_writer_failed(heap))
		return;
	if (heap->delivery == NULL && !last && !heap->threadless) {
		heap->delivery = heap_delivery_start(heap->writer);
		heap->threadless = heap->delivery == NULL;
	}
	uint64_t segment_bytes = segment_of_chunk(heap);
	heap->any = true;
	if (heap->delivery != NULL) {
		heap_delivery_submit(heap->delivery, chunk, segment_bytes);
		return;
	}
	heap_delivery_write(heap->writer, chunk, segment_bytes);
	byte_buffer_truncate(chunk, 0);
}

/* Called after each sub-record and each piece of an array. A segment ends at the end of a
 * sub-record. */
static void flush_if_full(struct heap_writer *heap)
{
	bool whole =
	        heap->array_left == 0 || heap->segment_left > 0 || heap->format->segment == NULL;
	bool last = heap->segment_left > 0 && heap->array_left == 0;

	if ((whole && heap->chunk.length >= CHUNK_BYTES) || last || heap->chunk.error != 0)
		flush_chunk(heap, false);
	if (heap->array_left == 0)
		heap->whole = heap->chunk.length;
}

struct heap_writer *heap_writer_begin(struct record_writer *writer, const struct heap_begin *begin)
{
	const struct heap_format *format = writer_heap_format(writer);
	if (format == NULL || writer_error(writer) != 0)
		return NULL;
	struct heap_writer *heap = calloc(1, sizeof(*heap));
	if (heap == NULL) {
		writer_fail(writer, BYTES_NO_MEMORY);
		return NULL;
	}
	heap->writer = writer;
	heap->format = format;
	heap->id_size = writer_id_size(writer);
	byte_buffer_init(&heap->chunk);
	/* Another thread may have added a trace that it has not written yet. */
	if (begin->traces != NULL)
		writer_traces(writer, begin->traces);
	writer_stream_begin(writer);
	if (format->begin != NULL)
		format->begin(&heap->chunk, begin);
	return heap;
}

unsigned heap_writer_id_size(const struct heap_writer *heap)
{
	return heap->id_size;
}

void heap_writer_root(struct heap_writer *heap, const struct heap_root *root)
{
	heap->format->root(&heap->chunk, heap->id_size, root);
	flush_if_full(heap);
}

void heap_writer_class(struct heap_writer *heap, const struct heap_class *class)
{
	writer_heap_names(heap->writer, class);
	heap->format->class_dump(&heap->chunk, heap->id_size, class);
	flush_if_full(heap);
}

void heap_writer_instance(struct heap_writer *heap, const struct heap_instance *instance)
{
	heap->format->instance(&heap->chunk, heap->id_size, instance);
	flush_if_full(heap);
}

/* Gives a large array a segment to itself, after writing what the chunk contains. */
static void begin_array(struct heap_writer *heap, uint64_t head_bytes, uint64_t element_bytes)
{
	heap->array_at = 0;
	if (heap->format->segment == NULL || element_bytes < CHUNK_BYTES)
		return;
	flush_chunk(heap, false);
	if (element_bytes > UINT32_MAX - head_bytes)
		byte_buffer_fail(&heap->chunk, BYTES_TOO_LARGE);
	heap->segment_bytes = head_bytes + element_bytes;
	heap->segment_left = head_bytes + element_bytes;
}

void heap_writer_object_array(struct heap_writer *heap, const struct heap_array *array)
{
	begin_array(heap, 1 + 4 + 4 + 2 * (uint64_t)heap->id_size,
	            (uint64_t)array->length * heap->id_size);
	heap->array_left = array->length;
	heap->format->object_array(&heap->chunk, heap->id_size, array);
	flush_if_full(heap);
}

void heap_writer_elements(struct heap_writer *heap, const uint64_t *ids, size_t count)
{
	heap->format->elements(&heap->chunk, heap->id_size, heap->array_at, ids, count);
	heap->array_at += (uint32_t)count;
	heap->array_left -= count;
	flush_if_full(heap);
}

void heap_writer_primitive_array(struct heap_writer *heap, const struct heap_array *array)
{
	uint64_t bytes = (uint64_t)array->length * heap_type_size(array->type, heap->id_size);

	begin_array(heap, 1 + 4 + 4 + 1 + (uint64_t)heap->id_size, bytes);
	heap->array_left = bytes;
	heap->format->primitive_array(&heap->chunk, heap->id_size, array);
	flush_if_full(heap);
}

void heap_writer_bytes(struct heap_writer *heap, const uint8_t *bytes, size_t length)
{
	heap->format->bytes(&heap->chunk, bytes, length);
	heap->array_left -= length;
	flush_if_full(heap);
}

/* Handles a dump that ends within an array because its elements could not be read: removes
 * the array, or, if its segment has been started, fills the missing elements with 0. */
static void end_array(struct heap_writer *heap)
{
	struct byte_buffer *chunk = &heap->chunk;

	if (heap->segment_left == 0 || heap->segment_bytes > 0) {
		byte_buffer_truncate(chunk, heap->segment_left == 0 ? heap->whole : 0);
		heap->segment_bytes = 0;
		heap->segment_left = 0;
		return;
	}
	while (heap->segment_left > chunk->length && !heap_writer_failed(heap)) {
		uint64_t missing = heap->segment_left - chunk->length;
		size_t piece = missing < CHUNK_BYTES ? (size_t)missing : CHUNK_BYTES;
		uint8_t *zeros = byte_buffer_extend(chunk, piece);
		if (zeros != NULL)
			memset(zeros, 0, piece);
		flush_chunk(heap, false);
	}
}

static void release(struct heap_writer *heap)
{
	byte_buffer_free(&heap->chunk);
	free(heap);
}

void heap_writer_end(struct heap_writer *heap)
{
	if (heap->array_left > 0 && heap->format->segment != NULL)
		end_array(heap);
	if (heap->format->end != NULL)
		heap->format->end(&heap->chunk);
	flush_chunk(heap, true);
	heap_delivery_end(heap->delivery);
	if (heap->format->segments_end != NULL && heap->any && !heap_writer_failed(heap))
		writer_heap_segments_end(heap->writer);
	writer_stream_end(heap->writer);
	release(heap);
}

void heap_writer_discard(struct heap_writer *heap)
{
	heap_delivery_end(heap->delivery);
	heap->delivery = NULL;
	if (writer_stream_remove(heap->writer))
		release(heap);
	else
		heap_writer_end(heap);
}
