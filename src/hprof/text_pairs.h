/*
 * text_pairs.h: the table of cpu=old, either as the only content of a file (old_format.c) or
 * as a part of a text profile (text_format.c). Keeps no state. Called by the record writer
 * under its record lock.
 */
#ifndef HPROF_HPROF_TEXT_PAIRS_H
#define HPROF_HPROF_TEXT_PAIRS_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

#include <stddef.h>

/* Appends the heading and a line for each row. state is not used. */
void text_call_pairs(void *state, struct byte_buffer *out, const struct call_pair_row *rows,
                     size_t row_count);

#endif
