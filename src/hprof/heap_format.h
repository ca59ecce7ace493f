/*
 * heap_format.h: the interface of a format for heap dumps. heap_writer calls these functions
 * without a lock; they append to the dump's buffer and keep no state. Exceptions are names,
 * segment and segments_end, which the record writer calls under its record lock.
 */
#ifndef HPROF_HPROF_HEAP_FORMAT_H
#define HPROF_HPROF_HEAP_FORMAT_H

#include "base/byte_buffer.h"
#include "hprof/heap_records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_format {
	/* Appends the records that the class and its fields refer to: STRING, LOAD CLASS. May
	 * be NULL. */
	void (*names)(void *state, struct byte_buffer *out, const struct heap_class *class);

	/* Appends the head of a segment of length bytes. NULL in a format that writes a dump
	 * in one piece, without other records inside. */
	void (*segment)(void *state, struct byte_buffer *out, uint64_t length);

	/* Appends the record that ends the segments. May be NULL. */
	void (*segments_end)(void *state, struct byte_buffer *out);

	/* Append the first and the last line. May be NULL. */
	void (*begin)(struct byte_buffer *out, const struct heap_begin *begin);
	void (*end)(struct byte_buffer *out);

	void (*root)(struct byte_buffer *out, unsigned id_size, const struct heap_root *root);
	void (*class_dump)(struct byte_buffer *out, unsigned id_size,
	                   const struct heap_class *class);
	void (*instance)(struct byte_buffer *out, unsigned id_size,
	                 const struct heap_instance *instance);
	void (*object_array)(struct byte_buffer *out, unsigned id_size,
	                     const struct heap_array *array);
	/* Appends count elements, starting with index first. */
	void (*elements)(struct byte_buffer *out, unsigned id_size, uint32_t first,
	                 const uint64_t *ids, size_t count);
	void (*primitive_array)(struct byte_buffer *out, unsigned id_size,
	                        const struct heap_array *array);
	void (*bytes)(struct byte_buffer *out, const uint8_t *bytes, size_t length);
};

extern const struct heap_format heap_format_text;
extern const struct heap_format heap_format_binary;

#endif
