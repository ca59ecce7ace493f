/*
 * byte_buffer.h: bytes that collect in memory before they go to a sink. Formats
 * put records together in one, the record writer passes it on.
 *
 * Errors stick: after the first one nothing is added any more, so a caller makes
 * a whole record and looks at .error once. No locks; a buffer belongs to one
 * thread at a time.
 */
#ifndef HPROF_OUTPUT_BYTE_BUFFER_H
#define HPROF_OUTPUT_BYTE_BUFFER_H

#include "os/os.h"

#include <stddef.h>
#include <stdint.h>

/* The codes of .error, in the terms of os_error_text(). */
#define BYTES_NO_MEMORY OS_NO_MEMORY
/* A number, an id or a record that is too large for its field. */
#define BYTES_TOO_LARGE OS_TOO_LARGE

struct byte_buffer {
	uint8_t *bytes;
	size_t length;
	size_t capacity;
	int error; /* 0, or the first failure */
};

/* An empty buffer; allocates nothing. */
void byte_buffer_init(struct byte_buffer *buffer);

/* Frees the bytes; the buffer is then empty and usable, without an error. */
void byte_buffer_free(struct byte_buffer *buffer);

/* Forgets what follows the first length bytes. The memory and the error stay. */
void byte_buffer_truncate(struct byte_buffer *buffer, size_t length);

/* Records a failure, unless there has been one. */
void byte_buffer_fail(struct byte_buffer *buffer, int error);

/* Appends length bytes for the caller to write, before it calls another function of the
 * buffer. NULL, without memory (BYTES_NO_MEMORY) and after an error. */
uint8_t *byte_buffer_extend(struct byte_buffer *buffer, size_t length);

/* Appends length bytes. Without memory .error is BYTES_NO_MEMORY. */
void byte_buffer_add(struct byte_buffer *buffer, const void *bytes, size_t length);

/* Append one number, its highest byte first (u1, u2, u4, u8 of the HPROF binary
 * format). */
void byte_buffer_add_u1(struct byte_buffer *buffer, uint8_t value);
void byte_buffer_add_u2(struct byte_buffer *buffer, uint16_t value);
void byte_buffer_add_u4(struct byte_buffer *buffer, uint32_t value);
void byte_buffer_add_u8(struct byte_buffer *buffer, uint64_t value);

/* Appends an ID of id_size bytes, 4 or 8. An id that does not fit makes .error
 * BYTES_TOO_LARGE. */
void byte_buffer_add_id(struct byte_buffer *buffer, unsigned id_size, uint64_t id);

/* Writes a number to memory, its highest byte first, and gives the place behind it. In this
 * form compilers make one instruction of it. */
static inline uint8_t *bytes_put_u4(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 24);
	at[1] = (uint8_t)(value >> 16);
	at[2] = (uint8_t)(value >> 8);
	at[3] = (uint8_t)value;
	return at + 4;
}

static inline uint8_t *bytes_put_u8(uint8_t *at, uint64_t value)
{
	at[0] = (uint8_t)(value >> 56);
	at[1] = (uint8_t)(value >> 48);
	at[2] = (uint8_t)(value >> 40);
	at[3] = (uint8_t)(value >> 32);
	at[4] = (uint8_t)(value >> 24);
	at[5] = (uint8_t)(value >> 16);
	at[6] = (uint8_t)(value >> 8);
	at[7] = (uint8_t)value;
	return at + 8;
}

/* Appends a NUL-terminated text without its NUL. */
void byte_buffer_add_text(struct byte_buffer *buffer, const char *text);

/* Appends formatted text, without a NUL. Not for floating point: the program may
 * have set a locale, and the profile must not depend on it. */
void byte_buffer_printf(struct byte_buffer *buffer, const char *format, ...)
        __attribute__((format(OS_PRINTF_ARCHETYPE, 2, 3)));

#endif
