/*
 * byte_buffer.c: a growable array of bytes with a sticky error. Numbers are
 * split by shifts, independent of the machine's alignment and byte order.
 */
#include "base/byte_buffer.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024

void byte_buffer_init(struct byte_buffer *buffer)
{
	*buffer = (struct byte_buffer){0};
}

void byte_buffer_free(struct byte_buffer *buffer)
{
	free(buffer->bytes);
	byte_buffer_init(buffer);
}

void byte_buffer_truncate(struct byte_buffer *buffer, size_t length)
{
	if (length < buffer->length)
		buffer->length = length;
}

void byte_buffer_fail(struct byte_buffer *buffer, int error)
{
	if (buffer->error == 0)
		buffer->error = error;
}

/* Ensures room for extra more bytes; false, with the error set, on failure. */
static bool reserve(struct byte_buffer *buffer, size_t extra)
{
	if (buffer->error != 0)
		return false;
	if (extra <= buffer->capacity - buffer->length)
		return true;
	if (extra > SIZE_MAX - buffer->length) {
		byte_buffer_fail(buffer, BYTES_NO_MEMORY);
		return false;
	}

	size_t needed = buffer->length + extra;
	size_t capacity = buffer->capacity ? buffer->capacity : FIRST_CAPACITY;
	while (capacity < needed)
		capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;

	uint8_t *bytes = realloc(buffer->bytes, capacity);
	if (!bytes) {
		byte_buffer_fail(buffer, BYTES_NO_MEMORY);
		return false;
	}
	buffer->bytes = bytes;
	buffer->capacity = capacity;
	return true;
}

uint8_t *byte_buffer_grow(struct byte_buffer *buffer, size_t length)
{
	/* The result is not NULL even for 0 bytes. */
	if (!reserve(buffer, length > 0 ? length : 1))
		return NULL;
	uint8_t *bytes = buffer->bytes + buffer->length;
	buffer->length += length;
	return bytes;
}

void byte_buffer_add(struct byte_buffer *buffer, const void *bytes, size_t length)
{
	if (length == 0 || !reserve(buffer, length))
		return;
	memcpy(buffer->bytes + buffer->length, bytes, length);
	buffer->length += length;
}

/* Appends the low size bytes of value. */
static void add_number(struct byte_buffer *buffer, uint64_t value, unsigned size)
{
	if (!reserve(buffer, size))
		return;
	for (unsigned shift = size * 8; shift > 0; shift -= 8)
		buffer->bytes[buffer->length++] = (uint8_t)(value >> (shift - 8));
}

void byte_buffer_add_u1(struct byte_buffer *buffer, uint8_t value)
{
	add_number(buffer, value, 1);
}

void byte_buffer_add_u2(struct byte_buffer *buffer, uint16_t value)
{
	add_number(buffer, value, 2);
}

void byte_buffer_add_u4(struct byte_buffer *buffer, uint32_t value)
{
	add_number(buffer, value, 4);
}

void byte_buffer_add_u8(struct byte_buffer *buffer, uint64_t value)
{
	add_number(buffer, value, 8);
}

void byte_buffer_add_id(struct byte_buffer *buffer, unsigned id_size, uint64_t id)
{
	if (id_size < 8 && id > UINT32_MAX) {
		byte_buffer_fail(buffer, BYTES_TOO_LARGE);
		return;
	}
	add_number(buffer, id, id_size < 8 ? 4 : 8);
}

void byte_buffer_add_text(struct byte_buffer *buffer, const char *text)
{
	byte_buffer_add(buffer, text, strlen(text));
}

void byte_buffer_printf(struct byte_buffer *buffer, const char *format, ...)
{
	char text[128];
	va_list args;
	va_start(args, format);
	va_list again;
	va_copy(again, args);

	int length = vsnprintf(text, sizeof(text), format, args);
	if (length < 0) {
		byte_buffer_fail(buffer, BYTES_TOO_LARGE);
	} else if ((size_t)length < sizeof(text)) {
		byte_buffer_add(buffer, text, (size_t)length);
	} else if (reserve(buffer, (size_t)length + 1)) {
		/* vsnprintf() writes a NUL after the text, which is not part of the buffer. */
		vsnprintf((char *)buffer->bytes + buffer->length, (size_t)length + 1, format,
		          again);
		buffer->length += (size_t)length;
	}

	va_end(again);
	va_end(args);
}
