/*
 * gate_options.h: the command line of `hprof check --baseline`. Pure, except for messages.
 */
#ifndef HPROF_COMMAND_GATE_OPTIONS_H
#define HPROF_COMMAND_GATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { GATE_CLASSES_MAX = 64 };

struct gate_options {
	const char *old_name;
	const char *new_name;
	const char *budget; /* NULL: none */
	const char *junit;  /* NULL: none */
	const char *output; /* of the JSON; NULL: standard output */
	bool json;          /* print JSON instead of text */
	const char *classes[GATE_CLASSES_MAX];
	size_t class_count;
	size_t top; /* contexts to print of each kind, 0: all */
};

/* False after printing an error. The strings are those of arguments. */
bool gate_options_parse(int count, char **arguments, struct gate_options *options);

#endif
