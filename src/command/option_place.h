/*
 * option_place.h: options of subcommands whose values are kept as they were written, and the errors
 * of all options. One thread.
 */
#ifndef HPROF_COMMAND_OPTION_PLACE_H
#define HPROF_COMMAND_OPTION_PLACE_H

#include <stdbool.h>

struct option_place {
	const char *name;   /* NULL ends a table */
	const char **value; /* *value is NULL until the option is given */
};

/* Takes the option arguments[*at], and its value from the next argument, to which *at moves. The
 * arguments end with NULL. False after printing an error. */
bool option_place_take(const char *subcommand, const struct option_place *places, char **arguments,
                       int *at);

/* Print the error. False. */
bool option_unknown(const char *subcommand, const char *option);
bool option_without_value(const char *subcommand, const char *option);

#endif
