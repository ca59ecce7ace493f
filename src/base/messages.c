/*
 * messages.c: see messages.h.
 */
#include "base/messages.h"

#include <stdarg.h>
#include <stdio.h>

void message_print(const char *format, ...)
{
	char line[2048];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	(void)fprintf(stderr, "hprof: %s\n", line);
	(void)fflush(stderr);
}
