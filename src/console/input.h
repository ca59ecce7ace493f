/*
 * input.h: the input file of a subcommand, read once and sequentially, and unpacked if it is
 * compressed with gzip. One thread; no lock.
 */
#ifndef HPROF_CONSOLE_INPUT_H
#define HPROF_CONSOLE_INPUT_H

#include "hprof/hprof_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* The compressed data is corrupt or truncated. */
#define INPUT_BROKEN (-1001)

/* How many bytes input_begins_with() can compare. */
enum { INPUT_PEEK_BYTES = 64 };

struct input;

/* Opens the file of that name, "-" for standard input. 0 or a code of os.h. */
int input_open(const char *name, struct input **input);

/* The same with an open file, which is the input's from now on, also after a failure. */
int input_open_file(struct os_file *file, struct input **input);

/* For tests: an input from bytes, which must outlive it. NULL when out of memory. */
struct input *input_of_bytes(const void *bytes, size_t length);

void input_close(struct input *input);

/* Whether the unpacked file begins with text. To be called before anything is read. */
bool input_begins_with(struct input *input, const char *text);

/* The first bytes of the unpacked file up to a NUL, or as many as text has room for. To be called
 * before anything is read. */
void input_first_text(const struct input *input, char text[INPUT_PEEK_BYTES]);

/* How many unpacked bytes have been read. */
uint64_t input_length(const struct input *input);

/* The source of the unpacked bytes. A read returns 0, INPUT_BROKEN or a code of os.h. */
struct byte_source *input_source(struct input *input);

#endif
