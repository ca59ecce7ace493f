/*
 * line_reader.h: the lines of a file, one after the other. One thread; no lock.
 */
#ifndef HPROF_COMMAND_LINE_READER_H
#define HPROF_COMMAND_LINE_READER_H

#include "hprof/hprof_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* No line is longer: names of a class file end at 64 KiB, and are escaped. */
#define LINE_BYTES_MAX ((size_t)2 * 1024 * 1024)

struct line_reader {
	struct byte_source *source;
	char *bytes; /* LINE_BYTES_MAX */
	size_t at;
	size_t length;
	uint64_t number; /* of the line that was read last, from 1 */
	bool too_long;   /* the next line is */
	int error;       /* of the source, or OS_NO_MEMORY */
};

/* line_reader_close() is called whatever becomes of it. */
void line_reader_open(struct line_reader *reader, struct byte_source *source);
void line_reader_close(struct line_reader *reader);

/* The next line, without its end, until the next call; a last one needs no end. False at the
 * end of the file and after a failure. */
bool line_reader_next(struct line_reader *reader, const char **line, size_t *length);

#endif
