/*
 * binary_names.h: the records of the binary format that stand around a heap dump's own:
 * what binary_format knows of names and of records that have been written. Under the
 * record writer's lock; state is that of binary_format.
 */
#ifndef HPROF_OUTPUT_BINARY_NAMES_H
#define HPROF_OUTPUT_BINARY_NAMES_H

#include "output/byte_buffer.h"
#include "output/heap_records.h"

#include <stdint.h>

/* STRING and LOAD CLASS for the class and the names of its fields, as far as they have
 * not been written. */
void binary_heap_names(void *state, struct byte_buffer *out, const struct heap_class *class);

/* The head of a HEAP DUMP SEGMENT. */
void binary_heap_segment(void *state, struct byte_buffer *out, uint64_t length);

/* HEAP DUMP END. */
void binary_heap_segments_end(void *state, struct byte_buffer *out);

#endif
