/*
 * input.h: the file that a subcommand reads, once and from its beginning, unpacked when
 * it is compressed with gzip. One thread; no lock.
 */
#ifndef HPROF_COMMAND_INPUT_H
#define HPROF_COMMAND_INPUT_H

#include "hprof/hprof_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* The compressed data breaks its format, or ends in the middle. */
#define INPUT_BROKEN (-1001)

/* What input_begins_with() can look at. */
enum { INPUT_PEEK_BYTES = 64 };

struct input;

/* Opens the file of that name, "-" for standard input. 0 or a code of os.h. */
int input_open(const char *name, struct input **input);

/* An input over bytes that stay where they are, for tests. NULL without memory. */
struct input *input_of_bytes(const void *bytes, size_t length);

void input_close(struct input *input);

/* Whether the unpacked file begins with text. Before anything is read. */
bool input_begins_with(struct input *input, const char *text);

/* Where the unpacked bytes come from. A read gives 0, INPUT_BROKEN or a code of os.h. */
struct byte_source *input_source(struct input *input);

#endif
