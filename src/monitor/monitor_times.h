/*
 * monitor_times.h: the rows of a MONITOR TIME section: merged, sorted and cut off.
 *
 * The caller of each function that takes sites holds the profile's dump lock.
 */
#ifndef HPROF_MONITOR_MONITOR_TIMES_H
#define HPROF_MONITOR_MONITOR_TIMES_H

#include "hprof/records.h"
#include "monitor/monitor_sites.h"

struct monitor_times {
	struct monitor_time_row *rows; /* longest wait first */
	size_t row_count;
	size_t all_count;  /* rows, including those that are cut off, which follow the others */
	uint64_t total_ns; /* of all rows */
};

/* Collects what the sites that have a trace counted since the last reset. Rows below the
 * fraction cutoff (0 to 1) of the total are left out. False when out of memory, with
 * nothing to free; otherwise the caller frees the rows with monitor_times_free(). */
bool monitor_times_collect(struct monitor_sites *sites, double cutoff, struct monitor_times *times);
void monitor_times_free(struct monitor_times *times);

/* Makes the next section start where the last one ended. Waits counted since the last
 * monitor_times_collect() stay for the next section. */
void monitor_times_reset(struct monitor_sites *sites);

#endif
