/*
 * binary_records.h: the parts that records of the HPROF binary format ("Binary Dump Format" of
 * the HPROF manual) share: the format's state, the head of a record, and the records that
 * others refer to (STRING, LOAD CLASS, STACK FRAME). Those are written once, before the first
 * record that refers to them. Used by the binary format's files under the record writer's
 * record lock. Errors are set in out: BYTES_NO_MEMORY, BYTES_TOO_LARGE.
 */
#ifndef HPROF_HPROF_BINARY_RECORDS_H
#define HPROF_HPROF_BINARY_RECORDS_H

#include "base/byte_buffer.h"
#include "hprof/tags.h"
#include "hprof/written_set.h"
#include "model/model.h"

#include <stdint.h>

/* The state of the format: which records have been written, by id. */
struct binary_state {
	unsigned id_size;
	uint64_t origin_ns; /* os_monotonic_ns() at the time in the header */
	struct written_set strings;
	struct written_set classes;
	struct written_set frames;
};

/* create and destroy of struct record_format. The new struct binary_state is empty. */
void *binary_state_create(unsigned id_size, int64_t created_wall_ms);
void binary_state_destroy(void *state);

/* Appends TAG, TIME and LENGTH. A length that does not fit the field is an error. */
void binary_record_begin(const struct binary_state *binary, struct byte_buffer *out,
                         enum hprof_record_tag tag, uint64_t length);

/* Append the record, and those it refers to, unless it has been written. A NULL string has no
 * record. */
void binary_need_string(struct binary_state *binary, struct byte_buffer *out,
                        const struct string *string);
void binary_need_class(struct binary_state *binary, struct byte_buffer *out,
                       const struct class_record *class);
void binary_need_frame(struct binary_state *binary, struct byte_buffer *out,
                       const struct frame *frame);

/* The value for a u4 field; values that do not fit become the maximum. */
static inline uint32_t saturate_u4(uint64_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

#endif
