/*
 * utf8_text.c: see utf8_text.h.
 */
#include "export/utf8_text.h"

#include <inttypes.h>
#include <stdbool.h>

static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

size_t utf8_decode(const unsigned char *text, size_t length, uint32_t *code)
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

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029;
}

void utf8_add_text(struct byte_buffer *out, const char *text, size_t length)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t at = 0; at < length;) {
		uint32_t code;
		size_t taken = utf8_decode(bytes + at, length - at, &code);
		if (is_control(code))
			byte_buffer_printf(out, "\\u%04" PRIx32, code);
		else if (code == 0xfffd)
			byte_buffer_add_text(out, replacement);
		else
			byte_buffer_add(out, bytes + at, taken);
		at += taken;
	}
}
