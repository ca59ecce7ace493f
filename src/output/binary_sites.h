/*
 * binary_sites.h: ALLOC SITES of the binary format ("Binary Dump
 * Format" of the HPROF manual). Under the record writer's lock; state is that of
 * binary_format.
 */
#ifndef HPROF_OUTPUT_BINARY_SITES_H
#define HPROF_OUTPUT_BINARY_SITES_H

#include "output/byte_buffer.h"
#include "output/records.h"

#include <stdint.h>

/* Appends a record's TAG, TIME and LENGTH (binary_format.c). */
void binary_record_begin(void *state, struct byte_buffer *out, uint8_t tag, uint64_t length);

void binary_sites(void *state, struct byte_buffer *out, const struct sites_record *record);

#endif
