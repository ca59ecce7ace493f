/*
 * output.h: where a subcommand writes its result: standard output, or a file that did not
 * exist. Put together in a byte buffer, and passed on when it is large. One thread.
 */
#ifndef HPROF_COMMAND_OUTPUT_H
#define HPROF_COMMAND_OUTPUT_H

#include "base/byte_buffer.h"
#include "os/os.h"

#include <stdbool.h>

struct output {
	const char *name;    /* NULL: standard output */
	struct os_file file; /* of the raw bytes that output_raw() writes */
	struct byte_buffer text;
	int error; /* of the file; 0 or a code of os.h */
};

/* Creates the file (mode 0600; no other file is touched), or takes standard output for
 * NULL. False with a message said. */
bool output_open(struct output *output, const char *name);

/* Passes text on when it has become large. False after a failure. */
bool output_continue(struct output *output);

/* Writes bytes at once, behind what is in text. */
bool output_raw(struct output *output, const void *bytes, size_t length);

/* Writes the rest and closes. A file is removed again unless the whole succeeded; its
 * own failure is said. Returns whether that is so. */
bool output_close(struct output *output, bool succeeded);

#endif
