/*
 * printable.c: see printable.h.
 */
#include "base/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CUT "..."

static bool between(unsigned char byte, unsigned char low, unsigned char high)
{
	return byte >= low && byte <= high;
}

/* The length of the well-formed multi-byte UTF-8 character at text, or 0 if there is none
 * (Unicode 15, table 3-7). */
static size_t multibyte_length(const unsigned char *text, size_t length)
{
	size_t needed = between(text[0], 0xc2, 0xdf)   ? 2
	                : between(text[0], 0xe0, 0xef) ? 3
	                : between(text[0], 0xf0, 0xf4) ? 4
	                                               : 0;
	if (needed == 0 || length < needed)
		return 0;

	/* No overlong forms, no surrogates, nothing beyond U+10FFFF. */
	unsigned char low = text[0] == 0xe0 ? 0xa0 : text[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char high = text[0] == 0xed ? 0x9f : text[0] == 0xf4 ? 0x8f : 0xbf;
	if (!between(text[1], low, high))
		return 0;
	for (size_t i = 2; i < needed; i++) {
		if (!between(text[i], 0x80, 0xbf))
			return 0;
	}
	return needed;
}

/* The length of the printable character at text, or 0 if the byte must be escaped. */
static size_t printable_length(const unsigned char *text, size_t length)
{
	if (between(text[0], 0x20, 0x7e))
		return 1;
	size_t found = multibyte_length(text, length);
	/* U+0080 to U+009F are control characters. */
	if (found == 2 && text[0] == 0xc2 && text[1] < 0xa0)
		return 0;
	/* LINE SEPARATOR, PARAGRAPH SEPARATOR */
	if (found == 3 && text[0] == 0xe2 && text[1] == 0x80 && between(text[2], 0xa8, 0xa9))
		return 0;
	return found;
}

void printable_text(const char *text, size_t length, char *out, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t used = 0;
	size_t cut = 0; /* the last end of a character that leaves room for CUT */

	for (size_t at = 0; at < length;) {
		char escape[8];
		const char *piece = text + at;
		size_t taken = printable_length(bytes + at, length - at);
		size_t piece_length = taken;
		if (taken == 0) {
			(void)snprintf(escape, sizeof(escape), "\\x%02x", bytes[at]);
			piece = escape;
			piece_length = strlen(escape);
			taken = 1;
		}
		if (piece_length >= size - used) {
			memcpy(out + cut, CUT, sizeof(CUT));
			return;
		}
		memcpy(out + used, piece, piece_length);
		used += piece_length;
		at += taken;
		if (size - used >= sizeof(CUT))
			cut = used;
	}
	out[used] = '\0';
}
