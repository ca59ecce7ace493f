/*
 * monitor_times.h: the rows of a MONITOR TIME section: merged, sorted and cut off.
 * Fields of the sites that are under the profile's dump lock are used here, so it
 * is held in all calls.
 */
#ifndef HPROF_MONITOR_MONITOR_TIMES_H
#define HPROF_MONITOR_MONITOR_TIMES_H

#include "hprof/records.h"
#include "monitor/monitor_sites.h"

struct monitor_times {
	struct monitor_time_row *rows; /* the highest time first */
	size_t row_count;
	uint64_t total_ns; /* of rows that are cut off too */
};

/* Collects what sites with a trace have counted since the last reset; what a row
 * has at least is cutoff of the total. False without memory. The rows are freed by
 * monitor_times_free(). */
bool monitor_times_collect(struct monitor_sites *sites, double cutoff, struct monitor_times *times);
void monitor_times_free(struct monitor_times *times);

/* What was collected last counts as told. */
void monitor_times_reset(struct monitor_sites *sites);

#endif
