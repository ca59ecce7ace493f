/*
 * binary_sites.h: ALLOC SITES of the binary format ("Binary Dump Format" of
 * the HPROF manual). Called under the record writer's record lock.
 */
#ifndef HPROF_HPROF_BINARY_SITES_H
#define HPROF_HPROF_BINARY_SITES_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

/* A function of struct record_format. */
void binary_sites(void *state, struct byte_buffer *out, const struct sites_record *record);

#endif
