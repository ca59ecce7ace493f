/* perf_data.c: see perf_data.h. */
#include "perf_data.h"

void perf_data_put(struct perf_data *data, size_t at, uint32_t number)
{
	memcpy(data->bytes + at, &number, sizeof(number));
}

void perf_data_init(struct perf_data *data)
{
	memset(data, 0, sizeof(*data));
	memcpy(data->bytes, "\xca\xfe\xc0\xc0", 4);
	data->bytes[PERF_VERSION] = 2;
	perf_data_put(data, PERF_FIRST, PERF_HEADER_BYTES);
}

static size_t perf_data_entry(uint32_t index)
{
	return PERF_HEADER_BYTES + (size_t)index * PERF_ENTRY_BYTES;
}

void perf_data_set(struct perf_data *data, uint32_t index, uint64_t value)
{
	memcpy(data->bytes + perf_data_entry(index) + PERF_VALUE, &value, sizeof(value));
}

void perf_data_add(struct perf_data *data, const char *name, uint64_t value)
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
