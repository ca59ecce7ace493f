/*
 * heap_writer.h: a heap dump of any size into the output of a record writer, without
 * holding it in memory. One dump at a time, one thread, under the profile's dump lock.
 *
 * From begin to end the sink belongs to the dump: records of other threads collect in
 * memory meanwhile. In text they follow the dump, since nothing may stand inside of it;
 * in binary they go out between its segments.
 */
#ifndef HPROF_OUTPUT_HEAP_WRITER_H
#define HPROF_OUTPUT_HEAP_WRITER_H

#include "hprof/heap_records.h"
#include "output/record_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_writer;

/* Begins a dump. Threads that it refers to have been written. NULL, when the
 * format has no heap dumps, without memory or after a failure of the writer, which
 * writer_error() tells. */
struct heap_writer *heap_writer_begin(struct record_writer *writer, const struct heap_begin *begin);

/* Bytes of an id in the values of instances. */
unsigned heap_writer_id_size(const struct heap_writer *heap);

/* Write one sub-record each. A class comes before its instances; its names and those of
 * its fields are written with it. After a failure they do nothing. */
void heap_writer_root(struct heap_writer *heap, const struct heap_root *root);
void heap_writer_class(struct heap_writer *heap, const struct heap_class *class);
void heap_writer_instance(struct heap_writer *heap, const struct heap_instance *instance);

/* An array, and then all of its elements in pieces: ids of an object array, the bytes of
 * a primitive one as the binary format has them. */
void heap_writer_object_array(struct heap_writer *heap, const struct heap_array *array);
void heap_writer_elements(struct heap_writer *heap, const uint64_t *ids, size_t count);
void heap_writer_primitive_array(struct heap_writer *heap, const struct heap_array *array);
void heap_writer_bytes(struct heap_writer *heap, const uint8_t *bytes, size_t length);

/* Whether something has failed, so that the rest need not be made. */
bool heap_writer_failed(const struct heap_writer *heap);

/* Ends the dump, wherever it is, so that its output is whole records, and frees the writer of
 * it; writer_error() reports how it went. A binary dump of nothing leaves nothing. */
void heap_writer_end(struct heap_writer *heap);

#endif
