/*
 * time_span.c: see time_span.h.
 */
#include "base/time_span.h"

#include "base/whole_number.h"

#include <string.h>

enum { NUMBER_MAX = 20 }; /* characters of the largest number, and a NUL */

/* 0: no unit. */
static long long seconds_of_unit(char unit)
{
	switch (unit) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	default:
		return 0;
	}
}

bool time_span_parse(const char *text, long long maximum, long long *seconds)
{
	char number[NUMBER_MAX];
	size_t length = strlen(text);
	long long unit = length == 0 ? 0 : seconds_of_unit(text[length - 1]);

	if (unit == 0)
		return whole_number_parse(text, 0, maximum, seconds);
	if (length > sizeof(number))
		return false;
	(void)strlcpy(number, text, length);
	if (!whole_number_parse(number, 0, maximum / unit, seconds))
		return false;
	*seconds *= unit;
	return true;
}
