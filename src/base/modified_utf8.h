/*
 * modified_utf8.h: names as the JVM gives them (JVMS 4.4.7) to plain UTF-8.
 */
#ifndef HPROF_BASE_MODIFIED_UTF8_H
#define HPROF_BASE_MODIFIED_UTF8_H

#include <stddef.h>

/* Room that utf8_from_modified() needs at most for length bytes of input: a bad
 * byte becomes the three bytes of U+FFFD. */
#define UTF8_FROM_MODIFIED_MAX(length) ((length)*3)

/* Whether the bytes are the same in both encodings (plain ASCII without NUL,
 * the common case), so that no conversion is needed. */
int modified_utf8_is_ascii(const char *bytes, size_t length);

/* Converts length bytes; utf8 has room for UTF8_FROM_MODIFIED_MAX(length).
 * Returns the bytes written, not terminated. Surrogate pairs become one
 * four-byte character, C0 80 a NUL; lone surrogates and malformed bytes become
 * U+FFFD. */
size_t utf8_from_modified(const char *modified, size_t length, char *utf8);

#endif
