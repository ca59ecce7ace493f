/*
 * output.h: the result of a subcommand, on standard output or in a new file. Text is collected
 * in a buffer and written when there is enough of it. One thread; no lock.
 */
#ifndef HPROF_CONSOLE_OUTPUT_H
#define HPROF_CONSOLE_OUTPUT_H

#include "base/byte_buffer.h"
#include "os/os.h"

#include <stdbool.h>

struct output {
	const char *name; /* NULL: standard output or error */
	bool stays_open;
	struct os_file file; /* also of output_raw() */
	struct byte_buffer text;
	int error; /* 0 or a code of os.h */
};

/* Creates the file name with mode 0600, without touching an existing one; NULL: standard
 * output. False after printing an error. */
bool output_open(struct output *output, const char *name);

/* The same for standard error, which stays open; prints no error. */
bool output_open_error_stream(struct output *output);

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
