/*
 * text_parts.h: common parts of lines in text records. Called by the text format's files,
 * under the record writer's record lock or by heap_writer. No state.
 */
#ifndef HPROF_HPROF_TEXT_PARTS_H
#define HPROF_HPROF_TEXT_PARTS_H

#include "base/byte_buffer.h"
#include "model/model.h"

#include <stdint.h>

/* Appends length bytes of UTF-8, with control characters and line separators escaped. */
void text_add_escaped(struct byte_buffer *out, const char *name, size_t length);
/* As text_add_escaped(), for a string of the model. */
void text_add_name(struct byte_buffer *out, const struct string *name);

/* Appends "java.lang.Object.wait". */
void text_add_method(struct byte_buffer *out, const struct method *method);

/* Appends the method of the innermost frame, or "<empty trace>". */
void text_add_innermost(struct byte_buffer *out, const struct trace *trace);

/* Appends a time in local time: "Sat Nov 21 02:55:43 2026". */
void text_add_local_time(struct byte_buffer *out, int64_t wall_ms);

/* Appends count as a share of total, as " %5.2f%%" would, independent of the locale. */
void text_add_percent(struct byte_buffer *out, uint64_t count, uint64_t total);

#endif
