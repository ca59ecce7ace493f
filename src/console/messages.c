/*
 * messages.c: see messages.h.
 */
#include "console/messages.h"

#include "base/printable.h"
#include "console/input.h"
#include "hprof/hprof_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const char *format, va_list values)
{
	(void)fputs("hprof: ", stderr);
	(void)vfprintf(stderr, format, values);
	(void)fputc('\n', stderr);
}

int console_usage(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	print_line(format, values);
	va_end(values);
	return EXIT_USAGE;
}

int console_failed(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	print_line(format, values);
	va_end(values);
	return EXIT_FAILED;
}

void console_print(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	print_line(format, values);
	va_end(values);
}

void console_print_written(const char *name, const char *next_step)
{
	static const char placeholder[] = "FILE";
	const struct shown shown = console_shown(name);
	size_t length = next_step == NULL ? 0 : strlen(next_step);
	size_t kept = length - (sizeof(placeholder) - 1);
	bool has_name = length >= sizeof(placeholder) && strcmp(next_step + kept, placeholder) == 0;

	if (next_step == NULL)
		console_print("wrote %s", shown.text);
	else if (has_name)
		console_print("wrote %s; %.*s%s", shown.text, (int)kept, next_step, shown.text);
	else
		console_print("wrote %s; %s", shown.text, next_step);
}

struct shown console_shown(const char *text)
{
	struct shown shown = {.text = ""};
	printable_text(text, strlen(text), shown.text, sizeof(shown.text));
	return shown;
}

struct shown console_reason(int code)
{
	struct shown shown = {.text = ""};
	if (code == HPROF_BROKEN)
		(void)strlcpy(shown.text, "not in the HPROF binary format", sizeof(shown.text));
	else if (code == INPUT_BROKEN)
		(void)strlcpy(shown.text, "the compressed data is corrupt or truncated",
		              sizeof(shown.text));
	else
		os_error_text(code, shown.text, sizeof(shown.text));
	return shown;
}
