/*
 * hprof_reader.c: see hprof_reader.h. The window contains the next bytes of the file; if
 * a caller needs more, the unread ones move to its front and more are read.
 */
#include "hprof/hprof_reader.h"

#include "hprof/tags.h"

#include <stdlib.h>
#include <string.h>

/* The longest name of a version with its NUL, and the rest of the header. */
enum { NAME_BYTES = 19, HEADER_BYTES = 4 + 8, RECORD_HEAD_BYTES = 1 + 4 + 4 };

const char *const hprof_versions[HPROF_VERSIONS] = {
        [HPROF_VERSION_1_0] = "JAVA PROFILE 1.0",
        [HPROF_VERSION_1_0_1] = "JAVA PROFILE 1.0.1",
        [HPROF_VERSION_1_0_2] = "JAVA PROFILE 1.0.2",
        [HPROF_VERSION_1_0_3] = "JAVA PROFILE 1.0.3",
};

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

/* How far to look for the next record: the window is moved once for at least as many bytes. */
#define AHEAD_MAX (HPROF_WINDOW_BYTES / 2)

/* ---- past the end of a segment ------------------------------------------------- */

void hprof_join_segments(struct hprof_reader *reader)
{
	reader->joins = true;
}

static bool is_record_tag(uint8_t tag)
{
	static const bool tags[UINT8_MAX + 1] = {HPROF_RECORDS(HPROF_TAG_ENTRY)};
	return tags[tag];
}

static void note_join(struct hprof_reader *reader, uint64_t *count)
{
	if (reader->joined == 0 && reader->extended == 0)
		reader->joined_at = hprof_offset(reader);
	(*count)++;
}

/* Whether a record follows the next length bytes. */
static bool record_follows(struct hprof_reader *reader, uint64_t length)
{
	return length < AHEAD_MAX && fill(reader, (size_t)length + 1) &&
	       is_record_tag(reader->window[reader->at + length]);
}

/* Whether the file ends after the next length bytes. */
static bool end_follows(struct hprof_reader *reader, uint64_t length)
{
	return length < AHEAD_MAX && !fill(reader, (size_t)length + 1) && reader->error == 0 &&
	       reader->length - reader->at == length;
}

/* Whether what follows the record is a segment, or as much of it as the file has, and not the
 * lacking bytes of a sub-record, which can begin like one: then a record follows them, and none
 * where the segment would end. */
static bool segment_follows(struct hprof_reader *reader, uint64_t lacking)
{
	if (!fill(reader, 1) || reader->window[reader->at] != HPROF_RECORD_HEAP_DUMP_SEGMENT)
		return false;
	if (!fill(reader, RECORD_HEAD_BYTES) || !record_follows(reader, lacking))
		return true;
	uint64_t length = RECORD_HEAD_BYTES + (uint64_t)hprof_u4_at(reader->window + reader->at +
	                                                            RECORD_HEAD_BYTES - 4);
	return length >= AHEAD_MAX || !fill(reader, (size_t)length + 1) ||
	       record_follows(reader, length);
}

/* At the end of the record, within a sub-record that lacks that many bytes: goes on in the next
 * segment, or makes the record longer. False if it is neither. */
static bool go_on(struct hprof_reader *reader, uint64_t lacking)
{
	if (!reader->joins || reader->error != 0)
		return false;
	bool segment = segment_follows(reader, lacking);
	bool whole = segment ? fill(reader, RECORD_HEAD_BYTES)
	                     : record_follows(reader, lacking) || end_follows(reader, lacking);
	/* That the file ends here is found again by the next read. */
	reader->at_end = false;
	if (!whole)
		return false;
	note_join(reader, segment ? &reader->joined : &reader->extended);
	reader->left = lacking;
	if (segment) {
		reader->left = hprof_u4_at(reader->window + reader->at + RECORD_HEAD_BYTES - 4);
		reader->at += RECORD_HEAD_BYTES;
	}
	return true;
}

/* The next bytes, which do not end in the record, in one piece. NULL if there are not as many. */
static const uint8_t *read_across(struct hprof_reader *reader, size_t length)
{
	size_t used = 0;

	if (reader->across == NULL)
		reader->across = malloc(HPROF_WINDOW_BYTES);
	if (reader->across == NULL) {
		fail(reader, OS_NO_MEMORY);
		return NULL;
	}
	while (used < length) {
		size_t piece = length - used;
		if (reader->left == 0 && !go_on(reader, piece))
			return NULL;
		if (piece > reader->left)
			piece = (size_t)reader->left;
		const uint8_t *bytes = hprof_read_bytes(reader, piece);
		if (bytes == NULL)
			return NULL;
		memcpy(reader->across + used, bytes, piece);
		used += piece;
	}
	return reader->across;
}

/* ---- bytes ----------------------------------------------------------------------- */

const uint8_t *hprof_refill_bytes(struct hprof_reader *reader, size_t length)
{
	const uint8_t *bytes = NULL;

	if (length <= HPROF_WINDOW_BYTES && length > reader->left && reader->joins) {
		bytes = read_across(reader, length);
	} else if (length <= HPROF_WINDOW_BYTES && length <= reader->left && fill(reader, length)) {
		bytes = reader->window + reader->at;
		reader->at += length;
		reader->left -= length;
	}
	if (bytes == NULL)
		hprof_set_broken(reader);
	return bytes;
}

void hprof_skip(struct hprof_reader *reader, uint64_t length)
{
	while (length > 0 && reader->error == 0) {
		if (reader->left == 0 && !go_on(reader, length)) {
			hprof_set_broken(reader);
			return;
		}
		size_t held = reader->length - reader->at;
		uint64_t piece = held > 0 ? held : 1;
		if (piece > length)
			piece = length;
		if (piece > reader->left)
			piece = reader->left;
		(void)hprof_read_bytes(reader, (size_t)piece);
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
	reader->joins = false;
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

/* Reads the name of the version. False after an error, or if it is none that can be read. */
static bool read_version(struct hprof_reader *reader)
{
	char name[NAME_BYTES] = "";

	reader->left = NAME_BYTES;
	for (size_t i = 0; i < NAME_BYTES && reader->error == 0; i++) {
		name[i] = (char)hprof_read_u1(reader);
		if (name[i] == '\0')
			break;
	}
	if (reader->error != 0 || name[NAME_BYTES - 1] != '\0')
		return false;
	while (reader->version < HPROF_VERSIONS &&
	       strcmp(hprof_versions[reader->version], name) != 0)
		reader->version++;
	return reader->version < HPROF_VERSIONS;
}

static bool read_header(struct hprof_reader *reader)
{
	reader->window = malloc(HPROF_WINDOW_BYTES);
	if (reader->window == NULL) {
		fail(reader, OS_NO_MEMORY);
		return false;
	}
	if (!read_version(reader))
		hprof_set_broken(reader);
	reader->left = HEADER_BYTES;
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
	free(reader->across);
	reader->window = NULL;
	reader->across = NULL;
}
