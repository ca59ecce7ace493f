/*
 * output.h: the result of a subcommand, on standard output or in a new file. Text is collected
 * in a buffer and written when there is enough of it. One thread; no lock.
 */
#ifndef HPROF_CONSOLE_OUTPUT_H
#define HPROF_CONSOLE_OUTPUT_H

#include "base/byte_buffer.h"
#include "os/os.h"

#include <stdbool.h>
#include <stdint.h>

/* The error of an output that exceeds its limit. */
#define OUTPUT_TOO_LARGE (-1002)

/* How text looks on a terminal. */
enum output_style { STYLE_PLAIN, STYLE_TITLE, STYLE_HOT };

struct output {
	const char *name; /* NULL: standard output or error */
	bool stays_open;
	bool has_styles;     /* on a terminal, unless NO_COLOR is set */
	uint32_t columns;    /* of the terminal; 0: lines may have any length */
	struct os_file file; /* also of output_raw() */
	struct byte_buffer text;
	int error;        /* 0, OUTPUT_TOO_LARGE or a code of os.h */
	uint64_t limit;   /* 0: none */
	uint64_t counted; /* bytes, before they are compressed */
};

/* Creates the file name with mode 0600, without touching an existing one; NULL: standard
 * output. False after printing an error. */
bool output_open(struct output *output, const char *name);

/* The same for standard error, which stays open; prints no error. */
bool output_open_error_stream(struct output *output);

/* The text that follows has that style, if the output has styles. */
void output_style(struct output *output, enum output_style style);

/* Adds a title in its style. */
void output_title(struct output *output, const char *title);

/* Columns that the line has which the text ends with; tabs stop at each eighth one. */
uint32_t output_column(const struct output *output);

/* Limits the output to what a profile of that many bytes can give: formats that write each stack
 * out repeat frames that the profile has once. */
void output_limit(struct output *output, uint64_t profile_bytes);

/* Counts bytes against the limit; output_continue() and output_raw() do so themselves. */
void output_count(struct output *output, size_t bytes);

/* Whether nothing has failed so far. */
static inline bool output_is_good(const struct output *output)
{
	return output->error == 0 && output->text.error == 0;
}

/* Writes the text if there is enough of it. False after a failure. */
bool output_continue(struct output *output);

/* Writes the text, and then the bytes, at once. */
bool output_raw(struct output *output, const void *bytes, size_t length);

/* Writes the rest and closes the output. Removes the file unless succeeded and everything was
 * written. Prints an error of the output. Returns whether all has succeeded. */
bool output_close(struct output *output, bool succeeded);

#endif
