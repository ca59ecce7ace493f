/*
 * profile_input.h: the profile that a subcommand reads. One thread; no lock.
 */
#ifndef HPROF_VIEWS_PROFILE_INPUT_H
#define HPROF_VIEWS_PROFILE_INPUT_H

#include "console/input.h"
#include "report/report_profile.h"

/* Opens the file of that name. False after printing an error. */
bool profile_input_open(const char *name, struct input **input);

/* Whether the input begins as a text or binary profile. False after printing an error about
 * name. To be called before anything is read. */
bool profile_input_is_profile(struct input *input, const char *name);

/* Reads the whole profile, text or binary. False after printing an error, unless the visitor
 * ended the reading; what the visitor received before it is valid. */
bool profile_input_read(struct input *input, const char *name, struct report_profile *profile,
                        struct report_visitor *visitor);

/* Reads the file of that name. False after printing an error, unless the visitor failed: then
 * the caller prints the error. */
bool profile_read_file(const char *name, struct report_profile *profile,
                       struct report_visitor *visitor);

/* Whether the input is a text profile, of any version. To be called before anything is read. */
bool profile_input_is_text(struct input *input);

#endif
