/*
 * monitor_records.h: the records of monitor=y. See records.h.
 */
#ifndef HPROF_HPROF_MONITOR_RECORDS_H
#define HPROF_HPROF_MONITOR_RECORDS_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread starts to wait for a notification (WAIT), or has stopped waiting (WAITED). */
struct monitor_wait_record {
	bool waited;
	const struct class_record *class; /* of the monitor */
	int64_t ms; /* WAIT: the timeout, 0 for none; WAITED: the elapsed time */
	uint32_t thread_serial;
};

/* What a MONITOR TIME section adds up over the waits of a row. */
enum monitor_sum {
	MONITOR_COUNT, /* the waits themselves; the first one (monitor_sites.h) */
	MONITOR_WAIT_NS,
	MONITOR_SUMS
};

/* One row of a MONITOR TIME section. */
struct monitor_time_row {
	const struct trace *trace;
	const struct class_record *class;
	uint64_t sums[MONITOR_SUMS];
};

/* A MONITOR TIME section. The caller has sorted the rows and applied the cutoff; total_ns
 * includes rows below the cutoff. */
struct monitor_times_record {
	int64_t wall_ms;
	uint64_t total_ns;
	size_t row_count;
	const struct monitor_time_row *rows;
};

enum monitor_thread_status {
	MONITOR_THREAD_RUNS,   /* R */
	MONITOR_THREAD_ENTERS, /* MW: waits to enter a monitor */
	MONITOR_THREAD_WAITS,  /* CW: waits for a notification, for time, or parked */
	MONITOR_THREAD_ENDED   /* ZO */
};

/* A thread in a MONITOR DUMP. */
struct monitor_dump_thread {
	uint32_t serial;
	const struct trace *trace;
	enum monitor_thread_status status;
	bool suspended;
	bool interrupted;
};

/* Threads by serial; 0 is an unknown thread. */
struct serial_list {
	uint32_t *serials;
	size_t count;
};

/* A monitor in a MONITOR DUMP. */
struct monitor_dump_monitor {
	const struct class_record *class;
	bool owned;
	uint32_t owner_serial;
	uint32_t entry_count; /* 0: not known */
	struct serial_list entering;
	struct serial_list waiting;
};

struct monitor_dump_record {
	size_t thread_count;
	const struct monitor_dump_thread *threads;
	size_t monitor_count;
	const struct monitor_dump_monitor *monitors;
};

#endif
