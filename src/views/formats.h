/*
 * formats.h: writes a profile in the format that the suffix of the output's name chooses.
 * One thread; no lock.
 */
#ifndef HPROF_VIEWS_FORMATS_H
#define HPROF_VIEWS_FORMATS_H

#include "views/format.h"

/* The format of a file name. NULL after printing an error with the suffixes to choose from. */
const struct profile_format *profile_format_of_name(const char *name);

/* The same for a file that this command writes itself. */
const struct profile_format *profile_format_to_write(const char *name);

/* Prints that the profile of that name was written, and what to do with it. */
void profile_format_print_written(const char *name);

/* Reads the profile and writes it to a new file, or to standard output if name is NULL. False
 * after printing an error; part of a file is then removed. */
bool profile_format_write_file(const struct profile_format *format,
                               const struct view_request *request, const char *name);

#endif
