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

void perf_data_put(struct perf_data *data, size_t at, uint32_t number);
void perf_data_init(struct perf_data *data);
void perf_data_set(struct perf_data *data, uint32_t index, uint64_t value);

/* A name of at most 27 characters. The counter's index is its number of those before. */
void perf_data_add(struct perf_data *data, const char *name, uint64_t value);

#endif
