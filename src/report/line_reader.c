/*
 * line_reader.c: see line_reader.h.
 */
#include "report/line_reader.h"

#include <stdlib.h>
#include <string.h>

void line_reader_open(struct line_reader *reader, struct byte_source *source)
{
	*reader = (struct line_reader){.source = source};
	reader->bytes = malloc(LINE_BYTES_MAX);
	if (reader->bytes == NULL)
		reader->error = OS_NO_MEMORY;
}

void line_reader_close(struct line_reader *reader)
{
	free(reader->bytes);
	reader->bytes = NULL;
}

/* Appends to the bytes in the buffer; false at the end of the file and after a failure. */
static bool read_on(struct line_reader *reader)
{
	size_t got = 0;

	memmove(reader->bytes, reader->bytes + reader->at, reader->length - reader->at);
	reader->length -= reader->at;
	reader->at = 0;
	if (reader->length == LINE_BYTES_MAX) {
		reader->too_long = true;
		return false;
	}
	reader->error = reader->source->read(reader->source, reader->bytes + reader->length,
	                                     LINE_BYTES_MAX - reader->length, &got);
	reader->length += got;
	return reader->error == 0 && got > 0;
}

bool line_reader_next(struct line_reader *reader, const char **line, size_t *length)
{
	size_t searched = 0;
	const char *end = NULL;

	if (reader->error != 0 || reader->too_long)
		return false;
	for (;;) {
		size_t held = reader->length - reader->at;
		end = memchr(reader->bytes + reader->at + searched, '\n', held - searched);
		if (end != NULL)
			break;
		searched = held;
		if (!read_on(reader))
			break;
	}
	if (reader->error != 0 || reader->too_long || (end == NULL && reader->at == reader->length))
		return false;
	*line = reader->bytes + reader->at;
	*length = end != NULL ? (size_t)(end - *line) : reader->length - reader->at;
	reader->at += *length + (end != NULL ? 1 : 0);
	if (*length > 0 && (*line)[*length - 1] == '\r')
		--*length;
	reader->unended = end == NULL;
	reader->number++;
	return true;
}
