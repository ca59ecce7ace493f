/*
 * command.h: shared by the subcommands of the hprof command: their table. The command
 * has one thread, except `hprof listen`.
 */
#ifndef HPROF_COMMAND_COMMAND_H
#define HPROF_COMMAND_COMMAND_H

#include "console/messages.h"

/* The build gives it; tools that read the source alone have none. */
#ifndef HPROF_VERSION
#define HPROF_VERSION "unknown"
#endif

struct subcommand {
	const char *name;
	const char *synopsis; /* the arguments, as help prints them */
	const char *summary;
	/* The options, one a line, and examples, for hprof NAME --help. */
	const char *details;
	/* Runs the subcommand. arguments are those after its name; a NULL ends them. Returns
	 * the exit code. */
	int (*run)(int count, char **arguments);
};

/* All subcommands in the order of the help; a NULL name ends the table. */
extern const struct subcommand command_table[];

int command_attach(int count, char **arguments);
int command_diff(int count, char **arguments);
int command_check(int count, char **arguments);

/* `hprof check --baseline`. */
int command_gate(int count, char **arguments);
int command_mcp(int count, char **arguments);
int command_listen(int count, char **arguments);
int command_run(int count, char **arguments);
int command_report(int count, char **arguments);

/* Runs the subcommand of a command line. Returns the exit code. */
int command_main(int count, char **arguments);

#endif
