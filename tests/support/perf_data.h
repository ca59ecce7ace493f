/*
 * perf_data.h: performance data as HotSpot writes them, with some counters, for tests.
 */
#ifndef HPROF_TESTS_PERF_DATA_H
#define HPROF_TESTS_PERF_DATA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	PERF_HEADER_BYTES = 32,
	PERF_ENTRY_BYTES = 56,
	PERF_ENTRIES_MAX = 4,
	PERF_BYTES = PERF_HEADER_BYTES + PERF_ENTRIES_MAX * PERF_ENTRY_BYTES
};
/* Places in the header, and in an entry. */
enum { PERF_VERSION = 5, PERF_FIRST = 24, PERF_COUNT = 28 };
enum { PERF_TYPE = 12, PERF_VALUE_PLACE = 16, PERF_NAME = 20, PERF_VALUE = 48 };

struct perf_data {
	_Alignas(8) char bytes[PERF_BYTES];
	uint32_t entries;
};

static inline void perf_data_put(struct perf_data *data, size_t at, uint32_t number)
{
	memcpy(data->bytes + at, &number, sizeof(number));
}

static inline void perf_data_init(struct perf_data *data)
{
	memset(data, 0, sizeof(*data));
	memcpy(data->bytes, "\xca\xfe\xc0\xc0", 4);
	data->bytes[PERF_VERSION] = 2;
	perf_data_put(data, PERF_FIRST, PERF_HEADER_BYTES);
}

static inline size_t perf_data_entry(uint32_t index)
{
	return PERF_HEADER_BYTES + (size_t)index * PERF_ENTRY_BYTES;
}

static inline void perf_data_set(struct perf_data *data, uint32_t index, uint64_t value)
{
	memcpy(data->bytes + perf_data_entry(index) + PERF_VALUE, &value, sizeof(value));
}

/* A name of at most 27 characters. The counter's index is its number of those before. */
static inline void perf_data_add(struct perf_data *data, const char *name, uint64_t value)
{
	uint32_t index = data->entries++;
	size_t at = perf_data_entry(index);

	perf_data_put(data, at, PERF_ENTRY_BYTES);
	perf_data_put(data, at + 4, PERF_NAME);
	data->bytes[at + PERF_TYPE] = 'J';
	perf_data_put(data, at + PERF_VALUE_PLACE, PERF_VALUE);
	strcpy(data->bytes + at + PERF_NAME, name);
	perf_data_set(data, index, value);
	perf_data_put(data, PERF_COUNT, data->entries);
}

#endif
