/*
 * text_reader.c: see text_reader.h.
 */
#include "report/text_reader.h"

#include "hprof/text_titles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------------- */

bool text_refuse(struct text_reader *reader, const char *what)
{
	(void)snprintf(reader->error->text, sizeof(reader->error->text), "line %" PRIu64 ": %s",
	               reader->lines.number, what);
	return false;
}

bool text_out_of_memory(struct text_reader *reader)
{
	reader->error->code = OS_NO_MEMORY;
	return false;
}

/* ---- parts of a line --------------------------------------------------------- */

struct text_cursor text_cursor(const struct text_reader *reader)
{
	return (struct text_cursor){.at = reader->line, .end = reader->line + reader->length};
}

void cursor_skip_blanks(struct text_cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at == ' ')
		cursor->at++;
}

bool cursor_at_digit(const struct text_cursor *cursor)
{
	return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

uint64_t cursor_number(struct text_cursor *cursor)
{
	uint64_t number = 0;

	cursor_skip_blanks(cursor);
	if (!cursor_at_digit(cursor))
		cursor->bad = true;
	for (; cursor_at_digit(cursor); cursor->at++) {
		unsigned digit = (unsigned)(*cursor->at - '0');
		if (number > (UINT64_MAX - digit) / 10)
			cursor->bad = true;
		else
			number = number * 10 + digit;
	}
	return number;
}

uint32_t cursor_serial(struct text_cursor *cursor)
{
	uint64_t number = cursor_number(cursor);
	if (number > UINT32_MAX)
		cursor->bad = true;
	return (uint32_t)number;
}

void cursor_text(struct text_cursor *cursor, const char *text)
{
	size_t length = strlen(text);
	if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, text, length) != 0) {
		cursor->bad = true;
		return;
	}
	cursor->at += length;
}

uint32_t cursor_share(struct text_cursor *cursor)
{
	uint64_t whole = cursor_number(cursor);
	cursor_text(cursor, ".");
	const char *decimals = cursor->at;
	uint64_t part = cursor_number(cursor);
	if (cursor->at - decimals != 2 || whole > 100)
		cursor->bad = true;
	cursor_text(cursor, "%");
	return cursor->bad ? 0 : (uint32_t)(whole * 100 + part);
}

const char *text_find_last(const struct text_reader *reader, const char *from, const char *text)
{
	size_t length = strlen(text);
	const char *at = reader->line + reader->length;

	while (at - from >= (ptrdiff_t)length) {
		if (memcmp(at - length, text, length) == 0)
			return at - length;
		at--;
	}
	return NULL;
}

const char *text_find(const struct text_reader *reader, const char *text)
{
	size_t length = strlen(text);
	const char *end = reader->line + reader->length;

	for (const char *at = reader->line; end - at >= (ptrdiff_t)length; at++) {
		if (memcmp(at, text, length) == 0)
			return at;
	}
	return NULL;
}

bool text_begins_with(const struct text_reader *reader, const char *text)
{
	size_t length = strlen(text);
	return reader->length >= length && memcmp(reader->line, text, length) == 0;
}

bool text_line_is(const struct text_reader *reader, const char *text)
{
	return reader->length == strlen(text) && text_begins_with(reader, text);
}

/* ---- lines ------------------------------------------------------------------- */

/* Whether the current line ends a section. The last one of a file needs no line feed. */
static bool is_end(const struct text_reader *reader)
{
	static const char mark[] = TEXT_END_MARK;
	size_t length = strlen(mark);

	return reader->length > length &&
	       memcmp(reader->line + reader->length - length, mark, length) == 0;
}

bool text_next_line(struct text_reader *reader)
{
	if (reader->has_line) {
		reader->has_line = false;
		return true;
	}
	if (reader->is_cut || !line_reader_next(&reader->lines, &reader->line, &reader->length))
		return false;
	reader->is_cut = reader->lines.unended && !is_end(reader);
	return !reader->is_cut;
}

void text_put_back(struct text_reader *reader)
{
	reader->has_line = true;
}

bool text_ends_early(struct text_reader *reader)
{
	if (reader->lines.error != 0 || reader->lines.too_long)
		return false; /* reported at the end */
	return text_refuse(reader, "the file ends inside a section");
}

const struct string *text_intern(struct text_reader *reader, const char *from, const char *to)
{
	const struct string *string =
	        string_table_intern(reader->profile->strings, from, (size_t)(to - from));
	if (string == NULL)
		(void)text_out_of_memory(reader);
	return string;
}

const struct string *text_intern_name(struct text_reader *reader, const char *from, const char *to)
{
	const struct string *string =
	        report_intern_name(reader->profile, from, (size_t)(to - from));
	if (string == NULL)
		(void)text_out_of_memory(reader);
	return string;
}
