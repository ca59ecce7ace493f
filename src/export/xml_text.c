/*
 * xml_text.c: see xml_text.h.
 */
#include "export/xml_text.h"

#include "export/utf8_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
		at += utf8_decode(text + at, length - at, &code);
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
		size_t taken = utf8_decode(bytes + at, length - at, &code);
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
