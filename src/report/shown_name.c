/*
 * shown_name.c: see shown_name.h. Each step takes time in proportion to the name: it may be long in
 * a hostile file.
 */
#include "report/shown_name.h"

#include "hprof/text_parts.h"

#include <ctype.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

enum { LEAST_COLUMNS = 8 }; /* for a name; where there are less, lines are longer */

/* The length of the package that text begins with, 0: none. Classes begin with a capital letter. */
static size_t package_length(const char *text, const char *end)
{
	size_t length = 0;

	if (text < end && !islower((unsigned char)text[0]))
		return 0;
	while (text + length < end && (isalnum((unsigned char)text[length]) || text[length] == '_'))
		length++;
	return text + length < end && text[length] == '.' ? length : 0;
}

/* The number of packages to shorten in order to save that number of columns, or of all packages. */
static uint32_t packages_to_save(const struct string *name, uint32_t columns)
{
	const char *end = name->text + name->length;
	const char *part = name->text;
	uint32_t packages = 0;
	size_t saved = 0;
	size_t length;

	while (saved < columns && (length = package_length(part, end)) > 0) {
		saved += length - 1;
		packages++;
		part += length + 1;
	}
	return packages;
}

static void add_shortened(struct byte_buffer *out, const struct string *name, uint32_t packages)
{
	const char *end = name->text + name->length;
	const char *part = name->text;

	for (; packages > 0; packages--) {
		text_add_escaped(out, part, 1);
		byte_buffer_add_u1(out, '.');
		part += package_length(part, end) + 1;
	}
	text_add_escaped(out, part, (size_t)(end - part));
}

/* Removes characters from the end of the text, and adds an ellipsis. */
static void cut(struct byte_buffer *out, uint32_t characters)
{
	size_t length = out->length;

	for (; characters > 0 && length > 0; characters--) {
		do
			length--;
		while (length > 0 && (out->bytes[length] & 0xc0) == 0x80);
	}
	byte_buffer_truncate(out, length);
	byte_buffer_add_text(out, ELLIPSIS);
}

void shown_name_add(struct output *output, const struct string *name, uint32_t after)
{
	struct byte_buffer *out = &output->text;
	const size_t start = out->length;
	const uint32_t end = output->columns > after ? output->columns - after : 0;
	const bool is_limited = end > 0 && output_column(output) + LEAST_COLUMNS <= end;

	text_add_name(out, name);
	uint32_t column = is_limited ? output_column(output) : 0;
	if (column <= end)
		return;
	byte_buffer_truncate(out, start);
	add_shortened(out, name, packages_to_save(name, column - end));
	column = output_column(output);
	if (column > end)
		cut(out, column - end + 1);
}
