/*
 * shares.h: parts of a total in 1/10000, and as text. Pure; any thread.
 */
#ifndef HPROF_REPORT_SHARES_H
#define HPROF_REPORT_SHARES_H

#include "base/byte_buffer.h"

#include <stdint.h>

enum { SHARE_WHOLE = 10000 };

/* Rounded; 0 of a total of 0. */
uint32_t share_of(uint64_t part, uint64_t total);

/* Appends " 12.34%", 8 characters wide. */
void share_add_text(struct byte_buffer *out, uint32_t share);

#endif
