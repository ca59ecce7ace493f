/*
 * timeline.h: how many samples of each trace were taken in each bucket of time. Memory is
 * bounded: at a limit of rows the length of a bucket doubles and rows merge. No lock: the
 * owner locks it.
 */
#ifndef HPROF_SAMPLING_TIMELINE_H
#define HPROF_SAMPLING_TIMELINE_H

#include "hprof/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_BUCKET_MS = 100 }; /* before it doubles */

/* Zeroed, then started by timeline_restart(). */
struct timeline {
	size_t limit; /* of rows, unless half of that is fewer than the traces */
	uint64_t start_ns;
	int64_t start_wall_ms;
	uint64_t bucket_ms;

	/* The first sorted_count are sorted, each pair once. The others are in any order, and
	 * can have pairs again. */
	struct sample_time_row *rows;
	size_t row_count;
	size_t sorted_count;
	size_t capacity;
	size_t trace_count; /* with rows */
	/* By serial - TRACE_SERIAL_EMPTY: the place of the trace's last row, plus 1; 0: none. */
	uint32_t *latest;
	size_t latest_capacity;
};

/* Removes all rows and makes bucket 0 begin now: at start_ns of os_monotonic_ns(), which is
 * start_wall_ms of os_wall_ms(). */
void timeline_restart(struct timeline *timeline, size_t limit, uint64_t start_ns,
                      int64_t start_wall_ms);

/* Adds samples of a trace, which must outlive the timeline, at a time of os_monotonic_ns();
 * times before the start count as the start. False without memory, with nothing added. */
bool timeline_add(struct timeline *timeline, const struct trace *trace, uint64_t time_ns,
                  uint64_t samples);

/* The rows sorted by trace serial and bucket, each pair once; valid until the next call. */
const struct sample_time_row *timeline_rows(struct timeline *timeline, size_t *row_count);

void timeline_free(struct timeline *timeline);

#endif
