/*
 * options.h: parses the options of -agentlib:hprof=, and prints the help text.
 */
#ifndef HPROF_OPTIONS_OPTIONS_H
#define HPROF_OPTIONS_OPTIONS_H

#include "options/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Size of a buffer for any message of options_parse(). */
#define OPTIONS_ERROR_MAX 1024

/* Parses text (NULL: no options) into settings, with the manual's defaults for absent options.
 * False for an unknown option, an invalid value, a repeated option or options that exclude each
 * other, with one line in error that names the option and the legal values. Pure; any thread. */
bool options_parse(const char *text, struct settings *settings, char *error, size_t error_size);

/* Writes the help text, with the options of the option table. */
void options_help(FILE *out);

#endif
