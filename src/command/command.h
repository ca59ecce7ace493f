/*
 * command.h: what the subcommands of the hprof command share: how they are listed, how
 * they end, and what they say on standard error. The command has one thread but for
 * `hprof listen`.
 */
#ifndef HPROF_COMMAND_COMMAND_H
#define HPROF_COMMAND_COMMAND_H

#include "os/os.h"

/* Exit codes: done; the input or the system is at fault; the command line is. */
enum { COMMAND_DONE = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 };

struct subcommand {
	const char *name;
	const char *synopsis; /* what follows the name on the command line */
	const char *summary;
	/* arguments are those behind the name, with a NULL at their end. Returns the exit
	 * code. */
	int (*run)(int count, char **arguments);
};

/* All of them, in the order of the help; ends with a NULL name. */
extern const struct subcommand command_table[];

int command_attach(int count, char **arguments);
int command_check(int count, char **arguments);
int command_listen(int count, char **arguments);
int command_run(int count, char **arguments);
int command_report(int count, char **arguments);

/* Runs what the command line says; the exit code. */
int command_main(int count, char **arguments);

/* Print "hprof: " and one line to standard error. command_usage() is for what is wrong
 * with the command line, and returns COMMAND_USAGE; command_failed() returns
 * COMMAND_FAILED. */
int command_usage(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));
int command_failed(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));
void command_print(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));

/* Text of the user or a file, made fit for such a line. */
struct shown {
	char text[512];
};
struct shown command_shown(const char *text);

/* The reason for a code of os.h, hprof_reader.h or input.h. */
struct shown command_reason(int code);

/* A whole number in text, digits alone, from minimum to maximum. */
bool command_number(const char *text, long long minimum, long long maximum, long long *number);

#endif
