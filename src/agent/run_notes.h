/*
 * run_notes.h: the NOTE lines about the run, for notes=y: program, JVM, options and length.
 */
#ifndef HPROF_AGENT_RUN_NOTES_H
#define HPROF_AGENT_RUN_NOTES_H

#include "profile/profile.h"

/* Keeps the options as given (NULL: none), in printable form, in memory from malloc(). False
 * without memory. */
bool run_notes_keep_options(const char *text, char **options);

/* Writes which program runs on which JVM, and the options. OnLoad or live phase, before other
 * records: some readers take lines after the first trace for frames. */
void run_notes_write_start(struct profile *profile, const char *options);

/* Writes how long the profile is. */
void run_notes_write_end(struct profile *profile, uint64_t length_ns);

#endif
