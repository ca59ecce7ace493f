/*
 * profile_modes.h: the words of -e: what hprof run and hprof attach profile, each with the agent's
 * options for it. Constant data and pure functions.
 */
#ifndef HPROF_SESSION_PROFILE_MODES_H
#define HPROF_SESSION_PROFILE_MODES_H

#include <stdbool.h>
#include <stddef.h>

struct profile_mode {
	const char *word;
	const char *options; /* the first is what selects the mode */
	bool is_binary;      /* unless the output is another format */
	bool is_momentary;   /* an attach has nothing to wait for */
	bool is_large;       /* a profile that is kept is compressed */
};

/* All modes; a NULL word ends the table. The first is the default. */
extern const struct profile_mode profile_modes[];

/* NULL when there is no such mode. */
const struct profile_mode *profile_mode_named(const char *word);

/* The mode that options of the agent select; NULL when they select none, or one without a
 * word. */
const struct profile_mode *profile_mode_of_options(const char *options);

/* Whether options of the agent contain the option, with any value. */
bool agent_option_given(const char *options, const char *name);

/* Whether options of the agent select another mode of the same kind, such as cpu=samples for
 * cpu=times. */
bool profile_mode_excludes(const struct profile_mode *mode, const char *options);

/* Writes the options of the mode, except those that given has too, and then given to text; without
 * those of text files if binary. mode may be NULL. False when text is too small. */
bool profile_mode_compose(const struct profile_mode *mode, const char *given, bool binary,
                          char *text, size_t size);

#endif
