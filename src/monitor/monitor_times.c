/*
 * monitor_times.c: see monitor_times.h.
 */
#include "monitor/monitor_times.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* The argument of collect_site(). */
struct collection {
	struct monitor_times *times;
	size_t capacity;
};

static bool append(struct collection *collection, const struct monitor_time_row *row)
{
	struct monitor_times *times = collection->times;

	if (!array_grow(&times->rows, &collection->capacity, times->row_count, sizeof(*row)))
		return false;
	times->rows[times->row_count++] = *row;
	times->total_ns += row->sums[MONITOR_WAIT_NS];
	return true;
}

static bool collect_site(void *argument, struct monitor_site *site)
{
	if (site->trace == NULL)
		return true;
	/* A thread adds what its wait has before it increments the count, and the count is read
	 * first here: each counted wait has its time. Without a new wait, time that was added
	 * already stays for the next section. */
	struct monitor_time_row row = {.trace = site->trace, .class = site->key.class};
	site->written[MONITOR_COUNT] = atomic_load(&site->sums[MONITOR_COUNT]);
	bool has_waits = site->written[MONITOR_COUNT] != site->base[MONITOR_COUNT];
	for (size_t i = MONITOR_COUNT + 1; i < MONITOR_SUMS; i++)
		site->written[i] = has_waits ? atomic_load(&site->sums[i]) : site->base[i];
	if (!has_waits)
		return true;
	for (size_t i = 0; i < MONITOR_SUMS; i++)
		row.sums[i] = site->written[i] - site->base[i];
	return append(argument, &row);
}

static bool reset_site(void *argument, struct monitor_site *site)
{
	(void)argument;
	memcpy(site->base, site->written, sizeof(site->base));
	return true;
}

static int by_trace(const void *left, const void *right)
{
	const struct monitor_time_row *a = left;
	const struct monitor_time_row *b = right;
	if (a->trace->serial != b->trace->serial)
		return a->trace->serial < b->trace->serial ? -1 : 1;
	return (a->class->serial > b->class->serial) - (a->class->serial < b->class->serial);
}

static int by_time(const void *left, const void *right)
{
	const struct monitor_time_row *a = left;
	const struct monitor_time_row *b = right;
	if (a->sums[MONITOR_WAIT_NS] != b->sums[MONITOR_WAIT_NS])
		return a->sums[MONITOR_WAIT_NS] < b->sums[MONITOR_WAIT_NS] ? 1 : -1;
	return by_trace(left, right);
}

/* Merges the rows of sites that have the same trace, such as two bytecode indexes in one
 * line. */
static void merge(struct monitor_times *times)
{
	size_t kept = 0;

	qsort(times->rows, times->row_count, sizeof(*times->rows), by_trace);
	for (size_t i = 0; i < times->row_count; i++) {
		const struct monitor_time_row row = times->rows[i];
		if (kept > 0 && by_trace(&times->rows[kept - 1], &row) == 0) {
			for (size_t sum = 0; sum < MONITOR_SUMS; sum++)
				times->rows[kept - 1].sums[sum] += row.sums[sum];
		} else {
			times->rows[kept++] = row;
		}
	}
	times->row_count = kept;
}

static void rank(struct monitor_times *times, double cutoff)
{
	size_t kept = 0;

	times->all_count = 0;
	if (times->row_count == 0)
		return;
	merge(times);
	times->all_count = times->row_count;
	qsort(times->rows, times->row_count, sizeof(*times->rows), by_time);
	while (kept < times->row_count &&
	       (double)times->rows[kept].sums[MONITOR_WAIT_NS] >= cutoff * (double)times->total_ns)
		kept++;
	times->row_count = kept;
}

bool monitor_times_collect(struct monitor_sites *sites, double cutoff, struct monitor_times *times)
{
	struct collection collection = {.times = times};

	*times = (struct monitor_times){.rows = NULL};
	if (!monitor_sites_visit(sites, collect_site, &collection)) {
		monitor_times_free(times);
		return false;
	}
	rank(times, cutoff);
	return true;
}

void monitor_times_free(struct monitor_times *times)
{
	free(times->rows);
	times->rows = NULL;
	times->row_count = 0;
}

void monitor_times_reset(struct monitor_sites *sites)
{
	(void)monitor_sites_visit(sites, reset_site, NULL);
}
