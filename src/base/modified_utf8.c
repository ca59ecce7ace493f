/*
 * modified_utf8.c: decodes UTF-16 units from the modified encoding and combines
 * surrogate pairs. Names come from class files and from programs, so every byte is
 * checked.
 */
#include "base/modified_utf8.h"

#include <stdint.h>

enum { REPLACEMENT = 0xFFFD };

int modified_utf8_is_ascii(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		if (byte == 0 || byte >= 0x80)
			return 0;
	}
	return 1;
}

static int is_continuation(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

/* Reads one UTF-16 unit at bytes[0..length); returns its length in bytes. An invalid byte
 * is one unit, REPLACEMENT. */
static size_t read_unit(const unsigned char *bytes, size_t length, uint32_t *unit)
{
	if (bytes[0] < 0x80) {
		*unit = bytes[0];
		return 1;
	}
	if ((bytes[0] & 0xE0) == 0xC0 && length >= 2 && is_continuation(bytes[1])) {
		*unit = ((bytes[0] & 0x1Fu) << 6) | (bytes[1] & 0x3Fu);
		return 2;
	}
	if ((bytes[0] & 0xF0) == 0xE0 && length >= 3 && is_continuation(bytes[1]) &&
	    is_continuation(bytes[2])) {
		*unit = ((bytes[0] & 0x0Fu) << 12) | ((bytes[1] & 0x3Fu) << 6) | (bytes[2] & 0x3Fu);
		return 3;
	}
	*unit = REPLACEMENT;
	return 1;
}

static size_t put_character(uint32_t character, char *utf8)
{
	if (character < 0x80) {
		utf8[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		utf8[0] = (char)(0xC0 | (character >> 6));
		utf8[1] = (char)(0x80 | (character & 0x3F));
		return 2;
	}
	if (character < 0x10000) {
		utf8[0] = (char)(0xE0 | (character >> 12));
		utf8[1] = (char)(0x80 | ((character >> 6) & 0x3F));
		utf8[2] = (char)(0x80 | (character & 0x3F));
		return 3;
	}
	utf8[0] = (char)(0xF0 | (character >> 18));
	utf8[1] = (char)(0x80 | ((character >> 12) & 0x3F));
	utf8[2] = (char)(0x80 | ((character >> 6) & 0x3F));
	utf8[3] = (char)(0x80 | (character & 0x3F));
	return 4;
}

static int is_high_surrogate(uint32_t unit)
{
	return unit >= 0xD800 && unit < 0xDC00;
}

static int is_low_surrogate(uint32_t unit)
{
	return unit >= 0xDC00 && unit < 0xE000;
}

size_t utf8_from_modified(const char *modified, size_t length, char *utf8)
{
	const unsigned char *bytes = (const unsigned char *)modified;
	size_t at = 0;
	size_t written = 0;

	while (at < length) {
		uint32_t character;
		at += read_unit(bytes + at, length - at, &character);

		if (is_high_surrogate(character) && at < length) {
			uint32_t low;
			size_t taken = read_unit(bytes + at, length - at, &low);
			if (is_low_surrogate(low)) {
				at += taken;
				character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
			}
		}
		if (character >= 0xD800 && character < 0xE000)
			character = REPLACEMENT;
		written += put_character(character, utf8 + written);
	}
	return written;
}
