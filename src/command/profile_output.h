/*
 * profile_output.h: writes a profile in the format that the suffix of the output's name chooses.
 * One thread; no lock.
 */
#ifndef HPROF_COMMAND_PROFILE_OUTPUT_H
#define HPROF_COMMAND_PROFILE_OUTPUT_H

#include "command/profile_format.h"

/* The format of a file name. NULL after printing an error with the suffixes to choose from. */
const struct profile_format *profile_format_of_name(const char *name);

/* The same for a file that this command writes itself. */
const struct profile_format *profile_format_to_write(const char *name);

/* Formats that are chosen by an option, whatever the name; tables are the default. */
extern const struct profile_format profile_format_tables;
extern const struct profile_format profile_format_collapsed;
extern const struct profile_format profile_format_flame;

/* Reads the profile and writes it to a new file, or to standard output if name is NULL. False
 * after printing an error; part of a file is then removed. */
bool profile_output_write(const struct profile_format *format, const struct profile_job *job,
                          const char *name);

#endif
