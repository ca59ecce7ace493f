/*
 * hprof_reader.h: reads a file in the HPROF binary format once, from start to end, in
 * pieces. It does not trust the file: reading past the end of a record is an error, after
 * which every read returns zeros. A reader belongs to one thread; no lock.
 */
#ifndef HPROF_HPROF_HPROF_READER_H
#define HPROF_HPROF_HPROF_READER_H

#include "os/os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that hprof_read_bytes() can return at once. */
#define HPROF_WINDOW_BYTES ((size_t)1024 * 1024)

/* The error code for a file that violates the format; other codes are from os.h. */
#define HPROF_BROKEN (-1000)

/* The names of the versions that can be read, which files begin with. ART writes the last one. */
enum {
	HPROF_VERSION_1_0,
	HPROF_VERSION_1_0_1,
	HPROF_VERSION_1_0_2,
	HPROF_VERSION_1_0_3,
	HPROF_VERSIONS
};
extern const char *const hprof_versions[HPROF_VERSIONS];

/* Called at the end of a file that is still being written. Waits until the file may have
 * grown, and returns true; false if it will not grow any more. */
typedef bool hprof_more(void *context);

/* The source of a reader's bytes, if that is not a plain file. */
struct byte_source {
	/* Reads up to size bytes; *got is 0 only at the end. Returns 0, or a code other than
	 * HPROF_BROKEN. */
	int (*read)(struct byte_source *source, void *bytes, size_t size, size_t *got);
};

struct hprof_reader {
	struct os_file *file; /* or NULL: source is used */
	struct byte_source *source;
	hprof_more *more; /* NULL: the file is complete */
	void *more_context;
	uint8_t *window;     /* HPROF_WINDOW_BYTES */
	size_t at;           /* index of the next byte in window */
	size_t length;       /* bytes in window */
	uint64_t left;       /* bytes of the record, starting at index at */
	uint64_t base;       /* offset of the window in the file */
	bool at_end;         /* the file has no bytes after those of the window */
	uint32_t record_us;  /* the record's time, in microseconds since created_ms */
	unsigned version;    /* HPROF_VERSION_ */
	bool joins;          /* the record may go on in the next one: hprof_join_segments() */
	uint64_t joined;     /* segments that went on in the next one */
	uint64_t extended;   /* records that were longer than their heads say */
	uint64_t joined_at;  /* offset of the end of the first such record */
	uint8_t *across;     /* HPROF_WINDOW_BYTES, of two records or more; NULL until needed */
	unsigned id_size;    /* 4 or 8 */
	uint64_t created_ms; /* since 1970, from the header */
	int error;           /* 0, HPROF_BROKEN, OS_NO_MEMORY or a code of os.h */
};

/* Reads the file's header from its current position. The caller still owns the file; more may
 * be NULL. False with error set; hprof_reader_close() must be called in any case. */
bool hprof_reader_open(struct hprof_reader *reader, struct os_file *file, hprof_more *more,
                       void *more_context);
/* As hprof_reader_open(), for a source. */
bool hprof_reader_open_source(struct hprof_reader *reader, struct byte_source *source);

void hprof_reader_close(struct hprof_reader *reader);

/* Skips the rest of the record and begins the next one: sets left to its length. False at the
 * file's end and after an error. */
bool hprof_next_record(struct hprof_reader *reader, uint8_t *tag);

/* Lets the sub-records of the current heap dump or segment extend past its end, until the next
 * record is begun. Some programs end a segment within an object, and go on with the rest of it in
 * the next one; others write too small a length before the whole object. What follows the end
 * distinguishes these. */
void hprof_join_segments(struct hprof_reader *reader);

/* The offset of the next byte in the file. */
uint64_t hprof_offset(const struct hprof_reader *reader);

/* After HPROF_BROKEN inside a record: clears the error, so that the next record can be read.
 * False after another error, or if the file has ended. */
bool hprof_recover(struct hprof_reader *reader);

/* Sets the error to HPROF_BROKEN, for invalid data that a caller finds. */
void hprof_set_broken(struct hprof_reader *reader);

/* As hprof_read_bytes(), which calls it if the window does not contain all the bytes. */
const uint8_t *hprof_refill_bytes(struct hprof_reader *reader, size_t length);

/* The next length bytes of the record, at most HPROF_WINDOW_BYTES; valid until the next call
 * of any function. NULL after an error. */
static inline const uint8_t *hprof_read_bytes(struct hprof_reader *reader, size_t length)
{
	if (reader->error != 0 || length > reader->left || length > reader->length - reader->at)
		return hprof_refill_bytes(reader, length);
	const uint8_t *bytes = reader->window + reader->at;
	reader->at += length;
	reader->left -= length;
	return bytes;
}

/* Skips length bytes of the record. */
void hprof_skip(struct hprof_reader *reader, uint64_t length);

/* Read a number of the record; 0 after an error. */
uint8_t hprof_read_u1(struct hprof_reader *reader);
uint16_t hprof_read_u2(struct hprof_reader *reader);
uint32_t hprof_read_u4(struct hprof_reader *reader);
uint64_t hprof_read_u8(struct hprof_reader *reader);
uint64_t hprof_read_id(struct hprof_reader *reader);

/* The big-endian number in 4 or 8 bytes. Compilers turn this form into one instruction. */
static inline uint32_t hprof_u4_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       (uint32_t)bytes[3];
}

static inline uint64_t hprof_u8_at(const uint8_t *bytes)
{
	return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 | (uint64_t)bytes[2] << 40 |
	       (uint64_t)bytes[3] << 32 | (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
	       (uint64_t)bytes[6] << 8 | (uint64_t)bytes[7];
}

/* The number in size bytes: 1, 2, 4 or 8. */
static inline uint64_t hprof_number(const uint8_t *bytes, unsigned size)
{
	switch (size) {
	case 8:
		return hprof_u8_at(bytes);
	case 4:
		return hprof_u4_at(bytes);
	case 2:
		return (uint64_t)bytes[0] << 8 | bytes[1];
	default:
		return bytes[0];
	}
}

#endif
