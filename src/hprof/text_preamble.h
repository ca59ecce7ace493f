/*
 * text_preamble.h: the explanation at the top of a text profile.
 */
#ifndef HPROF_HPROF_TEXT_PREAMBLE_H
#define HPROF_HPROF_TEXT_PREAMBLE_H

#include "base/byte_buffer.h"

/* Appends the explanation of each kind of record, a line "--------" and an empty line. No line
 * looks like the start of a record, so readers that look for records skip it. */
void text_preamble_write(struct byte_buffer *out);

#endif
