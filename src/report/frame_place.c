/*
 * frame_place.c: see frame_place.h.
 */
#include "report/frame_place.h"

#include <string.h>

static bool is(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* A number of digits alone, from 1 to INT32_MAX; 0 if the text is something else. */
static uint32_t line_number(const char *text, size_t length)
{
	uint64_t number = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || number > INT32_MAX)
			return 0;
		number = number * 10 + (uint64_t)(text[i] - '0');
	}
	return number > INT32_MAX ? 0 : (uint32_t)number;
}

/* Takes what follows the last colon, if it is what the formats write there. */
static bool take_line(struct frame_place *place, const char *text, size_t length)
{
	place->line = line_number(text, length);
	place->native = is(text, length, "Native method");
	return place->line != 0 || place->native || is(text, length, "Unknown line") ||
	       is(text, length, "Compiled method");
}

struct frame_place frame_place_of(const struct string *place)
{
	size_t length = place->length;
	struct frame_place result = {.file = place->text};

	if (length < 2 || place->text[0] != '(' || place->text[length - 1] != ')')
		return result;
	result.file++;
	length -= 2;
	size_t colon = length;
	while (colon > 0 && result.file[colon - 1] != ':')
		colon--;
	if (colon > 0 && take_line(&result, result.file + colon, length - colon))
		length = colon - 1;
	result.file_length = is(result.file, length, "<Unknown Source>") ? 0 : length;
	return result;
}
