/*
 * Big-endian reads and writes, and a cursor that cannot read past its end.
 * Used by the class-file engine only; no locks, any thread.
 */
#ifndef HPROF_CLASSFILE_BYTES_H
#define HPROF_CLASSFILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint16_t bytes_u2(const uint8_t *at)
{
	return (uint16_t)((unsigned)at[0] << 8 | at[1]);
}

static inline uint32_t bytes_u4(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline int32_t bytes_s4(const uint8_t *at)
{
	return (int32_t)bytes_u4(at);
}

static inline void bytes_put_u2(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static inline void bytes_put_u4(uint8_t *at, uint32_t value)
{
	bytes_put_u2(at, value >> 16);
	bytes_put_u2(at + 2, value);
}

/*
 * A read position. A read past the end returns 0, moves nothing and sets
 * overrun, so that a caller may read several items and ask once.
 */
struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool overrun;
};

static inline struct cursor cursor_over(const uint8_t *bytes, size_t length)
{
	struct cursor cursor = {bytes, bytes + length, false};

	return cursor;
}

static inline size_t cursor_left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

/* Moves over count bytes and returns where they began, NULL on overrun. */
static inline const uint8_t *cursor_take(struct cursor *cursor, size_t count)
{
	const uint8_t *at = cursor->at;

	if (cursor->overrun || cursor_left(cursor) < count) {
		cursor->overrun = true;
		return NULL;
	}
	cursor->at += count;
	return at;
}

static inline uint8_t cursor_u1(struct cursor *cursor)
{
	const uint8_t *at = cursor_take(cursor, 1);

	return at ? *at : 0;
}

static inline uint16_t cursor_u2(struct cursor *cursor)
{
	const uint8_t *at = cursor_take(cursor, 2);

	return at ? bytes_u2(at) : 0;
}

static inline uint32_t cursor_u4(struct cursor *cursor)
{
	const uint8_t *at = cursor_take(cursor, 4);

	return at ? bytes_u4(at) : 0;
}

#endif
