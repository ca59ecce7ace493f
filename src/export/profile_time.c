/*
 * profile_time.c: see profile_time.h.
 */
#include "export/profile_time.h"

#include "os/time_units.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* "Sat Nov 21 02:55:43 2026", local time; 0 if it is something else. */
static uint64_t time_of_text(const struct string *text)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	enum { YEAR_ZERO = 1900, MONTH_LETTERS = 3 };
	char month[MONTH_LETTERS + 1];
	struct tm tm = {.tm_isdst = -1};
	int used = 0;

	if (text == NULL ||
	    sscanf(text->text, "%*3s %3s %2d %2d:%2d:%2d %4d%n", month, &tm.tm_mday, &tm.tm_hour,
	           &tm.tm_min, &tm.tm_sec, &tm.tm_year, &used) != 6 ||
	    (size_t)used != text->length)
		return 0;
	const char *found = strstr(months, month);
	if (found == NULL || strlen(month) != MONTH_LETTERS ||
	    (found - months) % MONTH_LETTERS != 0)
		return 0;
	tm.tm_mon = (int)(found - months) / MONTH_LETTERS;
	tm.tm_year -= YEAR_ZERO;
	time_t seconds = mktime(&tm);
	return seconds <= 0 ? 0 : (uint64_t)seconds * MS_PER_SECOND;
}

uint64_t profile_start_ms(const struct stack_profile *stacks)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < stacks->series_count; i++) {
		const struct stack_series *series = &stacks->series[i];
		const struct stack_time *times = series->times.entries;
		for (size_t j = 0; j < series->times.count; j++) {
			if (times[j].at_ms < first)
				first = times[j].at_ms;
		}
	}
	return first != UINT64_MAX ? first : time_of_text(stacks->profile->facts.created);
}
