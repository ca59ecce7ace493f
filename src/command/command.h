/*
 * command.h: shared by the subcommands of the hprof command: their table, exit codes and
 * messages on standard error. The command has one thread, except `hprof listen`.
 */
#ifndef HPROF_COMMAND_COMMAND_H
#define HPROF_COMMAND_COMMAND_H

#include "os/os.h"

/* Exit codes: success; an error in the input or the system; an error on the command line. */
enum { COMMAND_DONE = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 };

struct subcommand {
	const char *name;
	const char *synopsis; /* the arguments, as help prints them */
	const char *summary;
	/* Runs the subcommand. arguments are those after its name; a NULL ends them. Returns
	 * the exit code. */
	int (*run)(int count, char **arguments);
};

/* All subcommands in the order of the help; a NULL name ends the table. */
extern const struct subcommand command_table[];

int command_attach(int count, char **arguments);
int command_check(int count, char **arguments);
int command_listen(int count, char **arguments);
int command_run(int count, char **arguments);
int command_report(int count, char **arguments);

/* Runs the subcommand of a command line. Returns the exit code. */
int command_main(int count, char **arguments);

/* Print "hprof: " and one line on standard error. command_usage() is for errors on the command
 * line and returns COMMAND_USAGE; command_failed() returns COMMAND_FAILED. */
int command_usage(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));
int command_failed(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));
void command_print(const char *format, ...) __attribute__((format(OS_PRINTF_ARCHETYPE, 1, 2)));

/* Text from the user or a file, escaped and cut for such a line. */
struct shown {
	char text[512];
};
struct shown command_shown(const char *text);

/* The text of an error code of os.h, hprof_reader.h or input.h. */
struct shown command_reason(int code);

/* Parses a whole number of digits only, from minimum to maximum. */
bool command_number(const char *text, long long minimum, long long maximum, long long *number);

#endif
