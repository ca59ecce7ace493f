/*
 * regular_expressions.c: the C library of Windows has none.
 */
#include "os_programs.h"

int os_regex_compile(const char *pattern, struct os_regex **regex, char *error, size_t size)
{
	(void)pattern;
	*regex = NULL;
	if (size > 0)
		error[0] = '\0';
	return OS_UNSUPPORTED;
}

void os_regex_free(struct os_regex *regex)
{
	(void)regex;
}

bool os_regex_matches(const struct os_regex *regex, const char *text)
{
	(void)regex;
	(void)text;
	return false;
}
