/*
 * heap_format.h: what a format implements for heap dumps. heap_writer calls these; they
 * append to a buffer of the dump's own and keep no state, but for names and segment,
 * which the record writer calls under its record lock.
 */
#ifndef HPROF_HPROF_HEAP_FORMAT_H
#define HPROF_HPROF_HEAP_FORMAT_H

#include "base/byte_buffer.h"
#include "hprof/heap_records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_format {
	/* Records that the class and its fields need: STRING, LOAD CLASS. May be NULL. */
	void (*names)(void *state, struct byte_buffer *out, const struct heap_class *class);

	/* The head of a segment with that many bytes. NULL in a format whose dump is one
	 * piece, so that no other record may stand inside. */
	void (*segment)(void *state, struct byte_buffer *out, uint64_t length);

	/* What ends the segments, as a record of its own. May be NULL. */
	void (*segments_end)(void *state, struct byte_buffer *out);

	/* The first and the last line. May be NULL. */
	void (*begin)(struct byte_buffer *out, const struct heap_begin *begin);
	void (*end)(struct byte_buffer *out);

	void (*root)(struct byte_buffer *out, unsigned id_size, const struct heap_root *root);
	void (*class_dump)(struct byte_buffer *out, unsigned id_size,
	                   const struct heap_class *class);
	void (*instance)(struct byte_buffer *out, unsigned id_size,
	                 const struct heap_instance *instance);
	void (*object_array)(struct byte_buffer *out, unsigned id_size,
	                     const struct heap_array *array);
	/* Elements from index first on. */
	void (*elements)(struct byte_buffer *out, unsigned id_size, uint32_t first,
	                 const uint64_t *ids, size_t count);
	void (*primitive_array)(struct byte_buffer *out, unsigned id_size,
	                        const struct heap_array *array);
	void (*bytes)(struct byte_buffer *out, const uint8_t *bytes, size_t length);
};

extern const struct heap_format heap_format_text;
extern const struct heap_format heap_format_binary;

#endif
