/*
 * line_reader.h: reads a file line by line. One thread; no lock.
 */
#ifndef HPROF_REPORT_LINE_READER_H
#define HPROF_REPORT_LINE_READER_H

#include "hprof/hprof_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* Longest line: names of a class file have at most 64 KiB, before escaping. */
#define LINE_BYTES_MAX ((size_t)2 * 1024 * 1024)

struct line_reader {
	struct byte_source *source;
	char *bytes; /* LINE_BYTES_MAX */
	size_t at;
	size_t length;
	uint64_t number; /* number of the last line read */
	bool too_long;   /* the next line is too long */
	bool unended;    /* the last line read has no end: the file may have been cut in it */
	int error;       /* of the source, or OS_NO_MEMORY */
};

/* line_reader_close() must be called even if the open failed. */
void line_reader_open(struct line_reader *reader, struct byte_source *source);
void line_reader_close(struct line_reader *reader);

/* The next line without its end, which is a line feed, or a carriage return and a line feed, valid
 * until the next call. The last line needs no end. False at the end of the file and after a
 * failure. */
bool line_reader_next(struct line_reader *reader, const char **line, size_t *length);

#endif
