/*
 * perf_file.c: see perf_file.h.
 */
#include "attach/perf_file.h"

#include "attach/perf_data.h"

#include <stdlib.h>

/* HotSpot's file has 32 KB unless PerfDataMemorySize changes that. */
enum { FILE_MAX = 1024 * 1024 };

static size_t read_all(struct os_file *file, uint8_t *bytes, size_t size)
{
	size_t used = 0;
	size_t got = 1;
	while (got > 0 && used < size && os_file_read(file, bytes + used, size - used, &got) == 0)
		used += got;
	return used;
}

bool perf_file_text(struct os_file *file, const char *name, char *value, size_t size)
{
	uint8_t *bytes = malloc(FILE_MAX);
	bool found = bytes != NULL &&
	             perf_data_text(bytes, read_all(file, bytes, FILE_MAX), name, value, size);
	free(bytes);
	return found;
}
