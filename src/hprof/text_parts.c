/*
 * text_parts.c: see text_parts.h.
 *
 * Names come from the program and may contain any characters. Those that could end a line
 * are escaped, so that no name can look like a record.
 */
#include "hprof/text_parts.h"

#include "os/os.h"

/* The length of the control character or line separator at text, or 0 when
 * there is another character; *code is its code point. */
static size_t control_character(const unsigned char *text, size_t length, unsigned *code)
{
	if (text[0] < 0x20 || text[0] == 0x7f) {
		*code = text[0];
		return 1;
	}
	/* U+0080 to U+009F, among them NEXT LINE */
	if (length >= 2 && text[0] == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f) {
		*code = text[1];
		return 2;
	}
	/* LINE SEPARATOR, PARAGRAPH SEPARATOR */
	if (length >= 3 && text[0] == 0xe2 && text[1] == 0x80 &&
	    (text[2] == 0xa8 || text[2] == 0xa9)) {
		*code = 0x2000u + (text[2] - 0x80u);
		return 3;
	}
	return 0;
}

void text_add_escaped(struct byte_buffer *out, const char *name, size_t length)
{
	const unsigned char *text = (const unsigned char *)name;
	size_t plain = 0; /* start of the characters that need no escape */
	size_t at = 0;

	while (at < length) {
		unsigned code = 0;
		size_t skip = control_character(text + at, length - at, &code);
		if (skip == 0) {
			at++;
			continue;
		}
		byte_buffer_add(out, text + plain, at - plain);
		byte_buffer_printf(out, "\\u%04x", code);
		at += skip;
		plain = at;
	}
	byte_buffer_add(out, text + plain, length - plain);
}

void text_add_name(struct byte_buffer *out, const struct string *name)
{
	text_add_escaped(out, name->text, name->length);
}

void text_add_method(struct byte_buffer *out, const struct method *method)
{
	text_add_name(out, method->class->name);
	byte_buffer_add_u1(out, '.');
	text_add_name(out, method->name);
}

void text_add_innermost(struct byte_buffer *out, const struct trace *trace)
{
	if (trace->depth > 0)
		text_add_method(out, trace->frames[0]->method);
	else
		byte_buffer_add_text(out, "<empty trace>");
}

void text_add_local_time(struct byte_buffer *out, int64_t wall_ms)
{
	char text[32];
	os_local_time_text(wall_ms, text, sizeof(text));
	byte_buffer_add_text(out, text);
}

void text_add_percent(struct byte_buffer *out, uint64_t count, uint64_t total)
{
	unsigned hundredths = count > 0 ? 10000 : 0;
	if (count < total)
		hundredths = (unsigned)((double)count / (double)total * 10000.0 + 0.5);
	byte_buffer_printf(out, " %2u.%02u%%", hundredths / 100, hundredths % 100);
}
