/*
 * heap_writer.h: writes a heap dump of any size to the output of a record writer, without
 * holding it in memory. One dump at a time, by one thread, under the profile's dump lock.
 *
 * From begin to end the sink belongs to the dump, and records of other threads stay in
 * memory. In text they are written after the dump, which must not be interrupted; in binary,
 * between its segments.
 */
#ifndef HPROF_OUTPUT_HEAP_WRITER_H
#define HPROF_OUTPUT_HEAP_WRITER_H

#include "hprof/heap_records.h"
#include "output/record_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_writer;

/* Begins a dump. The threads it refers to must have been written. Returns NULL if the
 * format has no heap dumps, without memory, or after an error of the writer (see
 * writer_error()). */
struct heap_writer *heap_writer_begin(struct record_writer *writer, const struct heap_begin *begin);

/* The size of an id in the values of instances, in bytes. */
unsigned heap_writer_id_size(const struct heap_writer *heap);

/* Write one sub-record each. A class must be written before its instances; its name and those
 * of its fields are written with it. After an error these functions do nothing. */
void heap_writer_root(struct heap_writer *heap, const struct heap_root *root);
void heap_writer_class(struct heap_writer *heap, const struct heap_class *class);
void heap_writer_instance(struct heap_writer *heap, const struct heap_instance *instance);

/* Write an array and then, in any number of pieces, all its elements: the ids of an object
 * array, or the values of a primitive array as bytes in the binary format's order. */
void heap_writer_object_array(struct heap_writer *heap, const struct heap_array *array);
void heap_writer_elements(struct heap_writer *heap, const uint64_t *ids, size_t count);
void heap_writer_primitive_array(struct heap_writer *heap, const struct heap_array *array);
void heap_writer_bytes(struct heap_writer *heap, const uint8_t *bytes, size_t length);

/* Whether an error has occurred, so that the caller can skip the rest. */
bool heap_writer_failed(const struct heap_writer *heap);

/* Ends the dump at any point, so that its output is whole records, and frees heap;
 * writer_error() returns the result. An empty binary dump writes nothing. */
void heap_writer_end(struct heap_writer *heap);

/* Ends a dump that lacks objects: removes it from a file. Where nothing can be taken back it ends
 * as by heap_writer_end(). */
void heap_writer_discard(struct heap_writer *heap);

#endif
