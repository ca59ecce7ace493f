/*
 * options.h: the text behind -agentlib:hprof= to settings.
 */
#ifndef HPROF_AGENT_OPTIONS_H
#define HPROF_AGENT_OPTIONS_H

#include "profile/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Room that holds any message of options_parse(). */
#define OPTIONS_ERROR_MAX 1024

/* Parses text (NULL is no option) into settings, with the defaults of the
 * manual for what is not said. False, with one line in error that names the
 * option and what is legal, for an unknown option, a bad value, a repeated
 * option or options that exclude each other. Pure; any thread. */
bool options_parse(const char *text, struct settings *settings, char *error, size_t error_size);

/* Writes the help text, made from the option table. */
void options_help(FILE *out);

#endif
