/*
 * page_pack.h: packs the data of a page: columns of numbers, compressed, as text. One thread;
 * no lock.
 */
#ifndef HPROF_PAGE_PAGE_PACK_H
#define HPROF_PAGE_PAGE_PACK_H

#include "base/byte_buffer.h"
#include "console/output.h"

#include <stdbool.h>
#include <stdint.h>

/* Appends a number: 7 bits a byte, the lowest first, the top bit set except in the last byte. */
void pack_number(struct byte_buffer *out, uint64_t number);

/* Writes bytes as gzip in base64. False when out of memory or the output failed. */
bool pack_write(const struct byte_buffer *bytes, struct output *output);

#endif
