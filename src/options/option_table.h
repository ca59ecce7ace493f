/*
 * option_table.h: every option, once, as data. The parser, the help text and the test that the
 * man page has all options read it. Constant; any thread.
 */
#ifndef HPROF_OPTIONS_OPTION_TABLE_H
#define HPROF_OPTIONS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
	OPTION_WORD,    /* one of choices */
	OPTION_FLAG,    /* y or n */
	OPTION_NUMBER,  /* whole number from minimum to maximum */
	OPTION_MASK,    /* whole number up to 32 bits: decimal, 0x.. or 0.. */
	OPTION_BYTES,   /* number of bytes, optionally followed by k, m or g */
	OPTION_RATIO,   /* decimal number from 0 to 1 */
	OPTION_FILE,    /* file name */
	OPTION_ADDRESS, /* host:port */
	OPTION_PATTERN, /* class or method pattern; may be repeated */
	OPTION_LONE     /* a word without a value */
};

/* Where the help text lists an option. */
enum option_section {
	SECTION_MANUAL,   /* those of the older agent's manual */
	SECTION_ADDED,    /* added to them */
	SECTION_OBSOLETE, /* accepted by it and by us, without effect */
	SECTION_NONE      /* not listed: for tests, or for debugging the older agent */
};

struct option_choice {
	const char *word;
	int value;
};

struct option {
	const char *name;
	enum option_kind kind;
	const char *values; /* as the help text shows them */
	enum option_section section;
	bool no_effect;                      /* checked, reported and otherwise ignored */
	const char *description;             /* of SECTION_MANUAL and SECTION_ADDED, else NULL */
	const char *fallback;                /* default, of the same */
	size_t offset;                       /* in struct settings, without no_effect */
	const struct option_choice *choices; /* OPTION_WORD; ends with a NULL word */
	long long minimum;                   /* OPTION_NUMBER */
	long long maximum;
};

/* All options in the order of the help text; ends with a NULL name. */
extern const struct option option_table[];

/* Writes into text which values an option accepts, for a message. */
void option_legal_values(const struct option *option, char *text, size_t size);

#endif
