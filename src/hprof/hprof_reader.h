/*
 * hprof_reader.h: reads a file in the HPROF binary format once, from its beginning to
 * its end, in pieces. It trusts nothing that the file says: what would reach past the
 * end of its record is an error, after which every read gives zeros. One thread.
 */
#ifndef HPROF_HPROF_HPROF_READER_H
#define HPROF_HPROF_HPROF_READER_H

#include "os/os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most bytes that hprof_read_bytes() can give at once. */
#define HPROF_WINDOW_BYTES ((size_t)1024 * 1024)

/* The file breaks the format; other codes are the system's. */
#define HPROF_BROKEN (-1000)

/* Called at the end of a file that is still being written: true when it may have grown
 * meanwhile, for which it waits; false when it will not any more. */
typedef bool hprof_more(void *context);

/* Where a reader's bytes come from, when that is not a file as it is. */
struct byte_source {
	/* Reads up to size bytes; *got is 0 at the end alone. 0, or a code that is not
	 * HPROF_BROKEN. */
	int (*read)(struct byte_source *source, void *bytes, size_t size, size_t *got);
};

struct hprof_reader {
	struct os_file *file; /* or NULL, and source is set */
	struct byte_source *source;
	hprof_more *more; /* NULL: the file is whole */
	void *more_context;
	uint8_t *window;     /* HPROF_WINDOW_BYTES */
	size_t at;           /* of the next byte in it */
	size_t length;       /* of what it holds */
	uint64_t left;       /* bytes of the record, from at on */
	uint64_t base;       /* where in the file the window begins */
	bool at_end;         /* the file has no bytes behind those of the window */
	uint32_t record_us;  /* the record's time, in microseconds since created_ms */
	unsigned version;    /* 1 or 2: of JAVA PROFILE 1.0.1 or 1.0.2 */
	unsigned id_size;    /* 4 or 8 */
	uint64_t created_ms; /* since 1970, from the header */
	int error;           /* 0, HPROF_BROKEN, OS_NO_MEMORY or a code of os.h */
};

/* Reads the file's header, from the position that it has. The file stays the caller's; more
 * may be NULL. False with the error set; hprof_reader_close() is called all the same. */
bool hprof_reader_open(struct hprof_reader *reader, struct os_file *file, hprof_more *more,
                       void *more_context);
/* The same for what does not come from a file as it is. */
bool hprof_reader_open_source(struct hprof_reader *reader, struct byte_source *source);

void hprof_reader_close(struct hprof_reader *reader);

/* Skips what is left of the record and begins the next one, whose length is then in
 * left; false at the file's end, and after a failure. */
bool hprof_next_record(struct hprof_reader *reader, uint8_t *tag);

/* Where in the file the next byte is. */
uint64_t hprof_offset(const struct hprof_reader *reader);

/* After a fault inside a record: forgets it, so that the next record can be read. False
 * when it was another failure, or the file has ended. */
bool hprof_recover(struct hprof_reader *reader);

/* Makes the error HPROF_BROKEN, for what a caller finds wrong. */
void hprof_set_broken(struct hprof_reader *reader);

/* As hprof_read_bytes(), which calls it when the window does not hold all of them. */
const uint8_t *hprof_refill_bytes(struct hprof_reader *reader, size_t length);

/* The next length bytes of the record, HPROF_WINDOW_BYTES at most; they stay where they
 * are until the next call of any function. NULL after a failure. */
static inline const uint8_t *hprof_read_bytes(struct hprof_reader *reader, size_t length)
{
	if (reader->error != 0 || length > reader->left || length > reader->length - reader->at)
		return hprof_refill_bytes(reader, length);
	const uint8_t *bytes = reader->window + reader->at;
	reader->at += length;
	reader->left -= length;
	return bytes;
}

/* Leaves out length bytes of the record. */
void hprof_skip(struct hprof_reader *reader, uint64_t length);

/* Numbers of the record; 0 after a failure. */
uint8_t hprof_read_u1(struct hprof_reader *reader);
uint16_t hprof_read_u2(struct hprof_reader *reader);
uint32_t hprof_read_u4(struct hprof_reader *reader);
uint64_t hprof_read_u8(struct hprof_reader *reader);
uint64_t hprof_read_id(struct hprof_reader *reader);

/* The number in the next 4 or 8 bytes, the highest first: in this form compilers make
 * one instruction of it. */
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
