/*
 * byte_buffer.h: a growing buffer of bytes. Formats encode records in one, and the
 * record writer passes it to a sink.
 *
 * Errors are sticky: after the first one nothing is added, so a caller can encode a
 * whole record and check .error once. No locks; a buffer belongs to one thread at a
 * time.
 */
#ifndef HPROF_BASE_BYTE_BUFFER_H
#define HPROF_BASE_BYTE_BUFFER_H

#include "os/os.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The codes of .error, for os_error_text(). */
#define BYTES_NO_MEMORY OS_NO_MEMORY
/* A number, an id or a record that is too large for its field. */
#define BYTES_TOO_LARGE OS_TOO_LARGE

struct byte_buffer {
	uint8_t *bytes;
	size_t length;
	size_t capacity;
	int error; /* 0, or the first error */
};

/* Initializes an empty buffer; allocates nothing. */
void byte_buffer_init(struct byte_buffer *buffer);

/* Frees the bytes; the buffer is then empty and usable, without an error. */
void byte_buffer_free(struct byte_buffer *buffer);

/* Drops all but the first length bytes. Keeps the memory and the error. */
void byte_buffer_truncate(struct byte_buffer *buffer, size_t length);

/* Sets the error, unless one is set already. */
void byte_buffer_fail(struct byte_buffer *buffer, int error);

/* As byte_buffer_extend(), which calls it if the buffer must grow. */
uint8_t *byte_buffer_grow(struct byte_buffer *buffer, size_t length);

/* Appends length bytes, which the caller must write before the next call for this buffer.
 * NULL without memory (BYTES_NO_MEMORY) and after an error. */
static inline uint8_t *byte_buffer_extend(struct byte_buffer *buffer, size_t length)
{
	if (buffer->error != 0 || length >= buffer->capacity - buffer->length)
		return byte_buffer_grow(buffer, length);
	uint8_t *bytes = buffer->bytes + buffer->length;
	buffer->length += length;
	return bytes;
}

/* Appends length bytes. Without memory sets .error to BYTES_NO_MEMORY. */
void byte_buffer_add(struct byte_buffer *buffer, const void *bytes, size_t length);

/* Append one big-endian number (u1, u2, u4, u8 of the HPROF binary format). */
void byte_buffer_add_u1(struct byte_buffer *buffer, uint8_t value);
void byte_buffer_add_u2(struct byte_buffer *buffer, uint16_t value);
void byte_buffer_add_u4(struct byte_buffer *buffer, uint32_t value);
void byte_buffer_add_u8(struct byte_buffer *buffer, uint64_t value);

/* Appends an id of id_size bytes, 4 or 8. An id that does not fit sets .error to
 * BYTES_TOO_LARGE. */
void byte_buffer_add_id(struct byte_buffer *buffer, unsigned id_size, uint64_t id);

/* Write a big-endian number to memory and return the address after it. For millions of
 * numbers: compilers don't always turn stores of single bytes into one. */
static inline uint8_t *bytes_put_u4(uint8_t *at, uint32_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	value = __builtin_bswap32(value);
	memcpy(at, &value, sizeof(value));
#else
	for (unsigned i = 0; i < sizeof(value); i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
#endif
	return at + sizeof(value);
}

static inline uint8_t *bytes_put_u8(uint8_t *at, uint64_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	value = __builtin_bswap64(value);
	memcpy(at, &value, sizeof(value));
#else
	for (unsigned i = 0; i < sizeof(value); i++)
		at[i] = (uint8_t)(value >> (56 - 8 * i));
#endif
	return at + sizeof(value);
}

/* As above, for an id of 4 or 8 bytes, which the caller has checked to fit. */
static inline uint8_t *bytes_put_id(uint8_t *at, unsigned id_size, uint64_t id)
{
	return id_size == 4 ? bytes_put_u4(at, (uint32_t)id) : bytes_put_u8(at, id);
}

/* Appends NUL-terminated text without its NUL. */
void byte_buffer_add_text(struct byte_buffer *buffer, const char *text);

/* Appends formatted text without a NUL. Not for floating point: its form depends on the
 * program's locale, and a profile must not. */
void byte_buffer_printf(struct byte_buffer *buffer, const char *format, ...)
        __attribute__((format(OS_PRINTF_ARCHETYPE, 2, 3)));

#endif
