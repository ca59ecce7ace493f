/*
 * binary_records.h: what the records of the HPROF binary format ("Binary Dump Format" of
 * the HPROF manual) have in common: the format's state, the head of a record, and the
 * records that others refer to (STRING, LOAD CLASS, STACK FRAME), which are written once,
 * before the first record that refers to them. For the files of the binary format, under
 * the record writer's lock. Errors are out's: BYTES_NO_MEMORY, BYTES_TOO_LARGE.
 */
#ifndef HPROF_HPROF_BINARY_RECORDS_H
#define HPROF_HPROF_BINARY_RECORDS_H

#include "base/byte_buffer.h"
#include "hprof/tags.h"
#include "hprof/written_set.h"
#include "model/model.h"

#include <stdint.h>

/* What the format remembers: the ids of the records that are written. */
struct binary_state {
	unsigned id_size;
	uint64_t origin_ns; /* os_monotonic_ns() at the moment in the header */
	struct written_set strings;
	struct written_set classes;
	struct written_set frames;
};

/* create and destroy of struct record_format: a struct binary_state with nothing written. */
void *binary_state_create(unsigned id_size, int64_t created_wall_ms);
void binary_state_destroy(void *state);

/* Appends TAG, TIME and LENGTH. A length that the field can't hold makes the record
 * fail. */
void binary_record_begin(const struct binary_state *binary, struct byte_buffer *out,
                         enum hprof_record_tag tag, uint64_t length);

/* Append the record, and those that it refers to, unless it has been written. A string
 * that is NULL needs none. */
void binary_need_string(struct binary_state *binary, struct byte_buffer *out,
                        const struct string *string);
void binary_need_class(struct binary_state *binary, struct byte_buffer *out,
                       const struct class_record *class);
void binary_need_frame(struct binary_state *binary, struct byte_buffer *out,
                       const struct frame *frame);

/* The value for a u4 field, which holds its maximum for what is larger. */
static inline uint32_t saturate_u4(uint64_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

#endif
