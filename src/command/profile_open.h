/*
 * profile_open.h: reads a whole profile of either format for a subcommand that compares profiles.
 */
#ifndef HPROF_COMMAND_PROFILE_OPEN_H
#define HPROF_COMMAND_PROFILE_OPEN_H

#include "report/report_profile.h"

#include <stdbool.h>

/* Reads the file of that name. False after printing an error, unless the visitor failed: then
 * the caller prints the error. */
bool profile_open(const char *name, struct report_profile *profile, struct report_visitor *visitor);

#endif
