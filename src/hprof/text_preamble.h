/*
 * text_preamble.h: the explanation at the top of a text profile.
 */
#ifndef HPROF_HPROF_TEXT_PREAMBLE_H
#define HPROF_HPROF_TEXT_PREAMBLE_H

#include "base/byte_buffer.h"

/* Appends the explanation of each record kind, closed by a line "--------" and
 * an empty line. No line of it begins as a record does, so a reader that knows
 * nothing of it can skip it. */
void text_preamble_write(struct byte_buffer *out);

#endif
