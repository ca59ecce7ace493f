/*
 * timeline.c: an array to which rows are appended in the order of the samples. A sample usually
 * falls into the latest row of its trace; other rows of the same pair are merged when rows are
 * read or space runs out.
 */
#include "sampling/timeline.h"

#include "base/array.h"
#include "os/time_units.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

static size_t index_of(const struct trace *trace)
{
	return trace->serial - TRACE_SERIAL_EMPTY;
}

static int by_trace_and_bucket(const void *left, const void *right)
{
	const struct sample_time_row *a = left;
	const struct sample_time_row *b = right;
	if (a->trace->serial != b->trace->serial)
		return a->trace->serial < b->trace->serial ? -1 : 1;
	return (a->bucket > b->bucket) - (a->bucket < b->bucket);
}

/* Merges the two sorted parts of rows, without memory by sorting all of them. The second part
 * is usually much shorter: these are the samples since the last update of the file. */
static void merge_parts(struct sample_time_row *rows, size_t first_count, size_t count)
{
	size_t left = first_count;
	size_t right = count - first_count;
	struct sample_time_row *second = malloc(right * sizeof(*second));

	if (second == NULL) {
		qsort(rows, count, sizeof(*rows), by_trace_and_bucket);
		return;
	}
	memcpy(second, rows + first_count, right * sizeof(*second));
	/* From the end, so that no row is overwritten before it is moved. */
	while (right > 0) {
		bool from_first =
		        left > 0 && by_trace_and_bucket(&rows[left - 1], &second[right - 1]) > 0;
		rows[left + right - 1] = from_first ? rows[left - 1] : second[right - 1];
		left -= from_first;
		right -= !from_first;
	}
	free(second);
}

static void sort(struct timeline *timeline)
{
	struct sample_time_row *rows = timeline->rows;
	size_t added = timeline->row_count - timeline->sorted_count;

	if (added == 0)
		return;
	qsort(rows + timeline->sorted_count, added, sizeof(*rows), by_trace_and_bucket);
	if (timeline->sorted_count > 0)
		merge_parts(rows, timeline->sorted_count, timeline->row_count);
}

/* Sorts the rows and leaves one for each pair. */
static void merge(struct timeline *timeline)
{
	struct sample_time_row *rows = timeline->rows;
	size_t kept = 0;

	sort(timeline);
	for (size_t i = 0; i < timeline->row_count; i++) {
		const struct sample_time_row row = rows[i];
		if (kept > 0 && by_trace_and_bucket(&rows[kept - 1], &row) == 0)
			rows[kept - 1].count += row.count;
		else
			rows[kept++] = row;
		timeline->latest[index_of(row.trace)] = (uint32_t)kept;
	}
	timeline->row_count = kept;
	timeline->sorted_count = kept;
}

static void double_buckets(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->row_count; i++)
		timeline->rows[i].bucket /= 2;
	timeline->bucket_ms *= 2;
	merge(timeline);
}

static bool set_capacity(struct timeline *timeline, size_t capacity)
{
	if (capacity > UINT32_MAX / 2 || capacity > SIZE_MAX / sizeof(*timeline->rows))
		return false;
	struct sample_time_row *rows = realloc(timeline->rows, capacity * sizeof(*rows));
	if (rows == NULL)
		return false;
	timeline->rows = rows;
	timeline->capacity = capacity;
	return true;
}

/* Makes room for rows: more memory up to the limit, then longer buckets. Each trace keeps a row
 * at least, so that traces can exceed the limit, but not by more than a few times: their own
 * memory is many times that of a row. */
static bool make_room(struct timeline *timeline)
{
	size_t limit = timeline->limit;

	if (timeline->capacity < limit) {
		size_t doubled = timeline->capacity == 0 ? FIRST_CAPACITY : timeline->capacity * 2;
		return set_capacity(timeline, doubled < limit ? doubled : limit);
	}
	merge(timeline);
	while (timeline->row_count > limit / 2 && timeline->row_count > 2 * timeline->trace_count)
		double_buckets(timeline);
	return timeline->row_count <= timeline->capacity / 4 * 3 ||
	       set_capacity(timeline, timeline->capacity * 2);
}

static uint64_t bucket_of(const struct timeline *timeline, uint64_t time_ns)
{
	if (time_ns <= timeline->start_ns)
		return 0;
	return (time_ns - timeline->start_ns) / NS_PER_MS / timeline->bucket_ms;
}

bool timeline_add(struct timeline *timeline, const struct trace *trace, uint64_t time_ns,
                  uint64_t samples)
{
	size_t index = index_of(trace);

	if (!array_cover(&timeline->latest, &timeline->latest_capacity, index,
	                 sizeof(*timeline->latest)))
		return false;
	uint32_t latest = timeline->latest[index];
	if (latest > 0 && timeline->rows[latest - 1].bucket == bucket_of(timeline, time_ns)) {
		timeline->rows[latest - 1].count += samples;
		return true;
	}
	if (timeline->row_count == timeline->capacity && !make_room(timeline))
		return false;
	/* The length of a bucket may have changed. */
	timeline->rows[timeline->row_count++] = (struct sample_time_row){
	        .trace = trace, .bucket = bucket_of(timeline, time_ns), .count = samples};
	timeline->trace_count += timeline->latest[index] == 0;
	timeline->latest[index] = (uint32_t)timeline->row_count;
	return true;
}

const struct sample_time_row *timeline_rows(struct timeline *timeline, size_t *row_count)
{
	merge(timeline);
	*row_count = timeline->row_count;
	return timeline->rows;
}

void timeline_restart(struct timeline *timeline, size_t limit, uint64_t start_ns,
                      int64_t start_wall_ms)
{
	timeline->limit = limit;
	timeline->start_ns = start_ns;
	timeline->start_wall_ms = start_wall_ms;
	timeline->bucket_ms = TIMELINE_BUCKET_MS;
	timeline->row_count = 0;
	timeline->sorted_count = 0;
	timeline->trace_count = 0;
	if (timeline->latest_capacity > 0)
		memset(timeline->latest, 0, timeline->latest_capacity * sizeof(*timeline->latest));
}

void timeline_free(struct timeline *timeline)
{
	free(timeline->rows);
	free(timeline->latest);
	memset(timeline, 0, sizeof(*timeline));
}
