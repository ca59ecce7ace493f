/*
 * xml_text.c: see xml_text.h.
 */
#include "command/xml_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* The length of the character at text and its code; for an invalid byte 1 and U+FFFD. */
static size_t decode(const unsigned char *text, size_t length, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t size = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;

	*code = text[0];
	if (size == 1)
		return 1;
	*code = 0xfffd;
	if (text[0] < 0xc0 || text[0] >= 0xf8 || size > length)
		return 1;
	uint32_t value = text[0] & (0xffU >> (size + 1));
	for (size_t i = 1; i < size; i++) {
		if (!continues(text[i]))
			return 1;
		value = value << 6 | (text[i] & 0x3f);
	}
	if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*code = value;
	return size;
}

/* XML 1.0, production Char, except control characters. */
static bool is_allowed(uint32_t code)
{
	return code >= 0x20 && code != 0x7f && (code < 0x80 || code > 0x9f) && code != 0xfffe &&
	       code != 0xffff;
}

static const char *entity(uint32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static size_t count_characters(const unsigned char *text, size_t length)
{
	size_t count = 0;
	uint32_t code;
	for (size_t at = 0; at < length; count++)
		at += decode(text + at, length - at, &code);
	return count;
}

void xml_add_text(struct byte_buffer *out, const char *text, size_t length, size_t most)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const unsigned char *bytes = (const unsigned char *)text;
	size_t count = count_characters(bytes, length);
	bool cut = count > most;
	size_t at = 0;

	if (cut)
		count = most > 2 ? most - 2 : 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t code;
		size_t taken = decode(bytes + at, length - at, &code);
		if (entity(code) != NULL)
			byte_buffer_add_text(out, entity(code));
		else if (!is_allowed(code) || code == 0xfffd)
			byte_buffer_add_text(out, replacement);
		else
			byte_buffer_add(out, bytes + at, taken);
		at += taken;
	}
	if (cut && most >= 2)
		byte_buffer_add_text(out, "..");
}
