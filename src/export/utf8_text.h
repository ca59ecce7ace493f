/*
 * utf8_text.h: names with any bytes as valid UTF-8. Pure.
 */
#ifndef HPROF_EXPORT_UTF8_TEXT_H
#define HPROF_EXPORT_UTF8_TEXT_H

#include "base/byte_buffer.h"

#include <stddef.h>
#include <stdint.h>

/* The length of the character at text, which has at least one byte, and its code; for an invalid
 * byte 1 and U+FFFD. */
size_t utf8_decode(const unsigned char *text, size_t length, uint32_t *code);

/* Appends text with bytes that are not UTF-8 as U+FFFD, and control characters and line
 * separators escaped as text profiles have them: "\u0000". */
void utf8_add_text(struct byte_buffer *out, const char *text, size_t length);

#endif
