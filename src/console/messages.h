/*
 * messages.h: what the hprof command prints on standard error, and its exit codes. One thread,
 * except that the threads of `hprof listen` may print lines too.
 */
#ifndef HPROF_CONSOLE_MESSAGES_H
#define HPROF_CONSOLE_MESSAGES_H

#include "os/os.h"

#include <stdbool.h>

/* Exit codes: success; an error in the input or the system; an error on the command line. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Print "hprof: " and one line on standard error. console_usage() is for errors on the command
 * line and returns EXIT_USAGE; console_failed() returns EXIT_FAILED. */
int console_usage(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));
int console_failed(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));
void console_print(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));

/* Prints that a file was written, and what to do with it, NULL: nothing. FILE at the end of
 * next_step stands for its name. */
void console_print_written(const char *name, const char *next_step);

/* Text from the user or a file, escaped and cut for such a line. */
struct shown {
	char text[512];
};
struct shown console_shown(const char *text);

/* The text of an error code of os.h, hprof_reader.h or input.h. */
struct shown console_reason(int code);

#endif
