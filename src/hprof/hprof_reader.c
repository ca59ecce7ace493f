/*
 * hprof_reader.c: see hprof_reader.h. The window contains the next bytes of the file; if
 * a caller needs more, the unread ones move to its front and more are read.
 */
#include "hprof/hprof_reader.h"

#include <stdlib.h>
#include <string.h>

/* The format's name with its NUL, and the rest of the header. */
enum { NAME_BYTES = 19, HEADER_BYTES = NAME_BYTES + 4 + 8, RECORD_HEAD_BYTES = 1 + 4 + 4 };

static void fail(struct hprof_reader *reader, int error)
{
	if (reader->error == 0)
		reader->error = error;
}

static int read_more(struct hprof_reader *reader, size_t *got)
{
	uint8_t *bytes = reader->window + reader->length;
	size_t size = HPROF_WINDOW_BYTES - reader->length;
	return reader->source != NULL ? reader->source->read(reader->source, bytes, size, got)
	                              : os_file_read(reader->file, bytes, size, got);
}

void hprof_set_broken(struct hprof_reader *reader)
{
	fail(reader, HPROF_BROKEN);
}

/* Ensures that the window has length bytes from at on, if the file has them. */
static bool fill(struct hprof_reader *reader, size_t length)
{
	if (reader->error != 0)
		return false;
	if (reader->length - reader->at >= length)
		return true;
	memmove(reader->window, reader->window + reader->at, reader->length - reader->at);
	reader->length -= reader->at;
	reader->base += reader->at;
	reader->at = 0;
	while (reader->length < length) {
		size_t got = 0;
		int error = read_more(reader, &got);
		if (error != 0)
			fail(reader, error);
		bool more = got > 0 || (reader->more != NULL && reader->more(reader->more_context));
		if (error == 0 && !more)
			reader->at_end = true;
		if (error != 0 || !more)
			return false;
		reader->length += got;
	}
	return true;
}

const uint8_t *hprof_refill_bytes(struct hprof_reader *reader, size_t length)
{
	if (length > HPROF_WINDOW_BYTES || length > reader->left || !fill(reader, length)) {
		hprof_set_broken(reader);
		return NULL;
	}
	const uint8_t *bytes = reader->window + reader->at;
	reader->at += length;
	reader->left -= length;
	return bytes;
}

void hprof_skip(struct hprof_reader *reader, uint64_t length)
{
	while (length > 0 && reader->error == 0) {
		size_t held = reader->length - reader->at;
		size_t piece = held > 0 ? held : 1;
		if (piece > length)
			piece = (size_t)length;
		(void)hprof_read_bytes(reader, piece);
		length -= piece;
	}
}

static uint64_t number(struct hprof_reader *reader, unsigned size)
{
	const uint8_t *bytes = hprof_read_bytes(reader, size);
	return bytes == NULL ? 0 : hprof_number(bytes, size);
}

uint8_t hprof_read_u1(struct hprof_reader *reader)
{
	return (uint8_t)number(reader, 1);
}

uint16_t hprof_read_u2(struct hprof_reader *reader)
{
	return (uint16_t)number(reader, 2);
}

uint32_t hprof_read_u4(struct hprof_reader *reader)
{
	return (uint32_t)number(reader, 4);
}

uint64_t hprof_read_u8(struct hprof_reader *reader)
{
	return number(reader, 8);
}

uint64_t hprof_read_id(struct hprof_reader *reader)
{
	return number(reader, reader->id_size);
}

bool hprof_next_record(struct hprof_reader *reader, uint8_t *tag)
{
	hprof_skip(reader, reader->left);
	if (reader->error != 0)
		return false;
	if (!fill(reader, 1))
		return false;
	reader->left = RECORD_HEAD_BYTES;
	*tag = hprof_read_u1(reader);
	reader->record_us = hprof_read_u4(reader);
	uint32_t length = hprof_read_u4(reader);
	reader->left = length;
	return reader->error == 0;
}

uint64_t hprof_offset(const struct hprof_reader *reader)
{
	return reader->base + reader->at;
}

bool hprof_recover(struct hprof_reader *reader)
{
	if (reader->error == HPROF_BROKEN && !reader->at_end)
		reader->error = 0;
	return reader->error == 0;
}

static bool read_header(struct hprof_reader *reader)
{
	static const char names[][NAME_BYTES] = {"JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2"};

	reader->window = malloc(HPROF_WINDOW_BYTES);
	if (reader->window == NULL) {
		fail(reader, OS_NO_MEMORY);
		return false;
	}
	reader->left = HEADER_BYTES;
	const uint8_t *name = hprof_read_bytes(reader, NAME_BYTES);
	if (name == NULL)
		return false;
	if (memcmp(name, names[0], NAME_BYTES) != 0 && memcmp(name, names[1], NAME_BYTES) != 0)
		hprof_set_broken(reader);
	reader->version = memcmp(name, names[1], NAME_BYTES) == 0 ? 2 : 1;
	reader->id_size = hprof_read_u4(reader);
	reader->created_ms = hprof_read_u8(reader);
	if (reader->id_size != 4 && reader->id_size != 8)
		hprof_set_broken(reader);
	return reader->error == 0;
}

bool hprof_reader_open(struct hprof_reader *reader, struct os_file *file, hprof_more *more,
                       void *more_context)
{
	*reader = (struct hprof_reader){.file = file, .more = more, .more_context = more_context};
	return read_header(reader);
}

bool hprof_reader_open_source(struct hprof_reader *reader, struct byte_source *source)
{
	*reader = (struct hprof_reader){.source = source};
	return read_header(reader);
}

void hprof_reader_close(struct hprof_reader *reader)
{
	free(reader->window);
	reader->window = NULL;
}
