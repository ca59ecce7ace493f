/*
 * records.h: the records of a profile, whatever the format. Those of monitor=y are in
 * monitor_records.h, those of heap dumps in heap_records.h. Structs that live for one
 * call; the caller, which fills them, owns what they point to.
 */
#ifndef HPROF_HPROF_RECORDS_H
#define HPROF_HPROF_RECORDS_H

#include "hprof/monitor_records.h"
#include "model/model.h"
#include "os/os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of a CPU SAMPLES section. */
struct cost_row {
	const struct trace *trace;
	uint64_t count;
};

/* A CPU SAMPLES section: rows come sorted and cut off by the caller (see
 * cost_table.h), and rows without samples are left out; total counts the rows
 * that were cut off too. */
struct cpu_samples_record {
	int64_t wall_ms;
	uint64_t total;
	size_t row_count;
	const struct cost_row *rows;
};

/* One row of a CPU TIME or OFF-CPU TIME section. */
struct time_row {
	const struct trace *trace;
	uint64_t calls;
	uint64_t self_ns;
};

enum time_section { TIME_SECTION_CPU, TIME_SECTION_OFF_CPU };

/* A CPU TIME or OFF-CPU TIME section; rows and total as for CPU SAMPLES. */
struct times_record {
	enum time_section section;
	int64_t wall_ms;
	uint64_t total_ns;
	size_t row_count;
	const struct time_row *rows;
};

/* One row of the older format: calls of a method by another, or by one that is
 * not known. */
struct call_pair_row {
	const struct method *callee;
	const struct method *caller; /* NULL when not known */
	uint64_t calls;
	uint64_t total_ns; /* CPU time of the calls and of all that they called */
};

/* One row of a THREAD MICROSTATES section. */
struct microstates_row {
	uint32_t thread_serial;
	const struct string *name;
	struct os_microstates states; /* nothing in known: the thread's are not known */
};

/* A THREAD MICROSTATES section. */
struct microstates_record {
	int64_t wall_ms;
	size_t row_count;
	const struct microstates_row *rows;
};

/* HEAP SUMMARY. */
struct heap_summary_record {
	uint64_t live_bytes;
	uint64_t live_instances;
	uint64_t allocated_bytes; /* since the start; 0 when nobody counts them */
	uint64_t allocated_instances;
};

/* One row of a SITES section or an ALLOC SITES record. */
struct site_row {
	const struct trace *trace;
	const struct class_record *class;
	uint64_t live_bytes;
	uint64_t live_objects;
	uint64_t allocated_bytes;
	uint64_t allocated_objects;
};

/* A SITES section, the ALLOC SITES record: rows come sorted and cut off by the caller;
 * the sums count the rows that were cut off too. Without live, objects were not
 * followed, and the live columns are 0. */
struct sites_record {
	int64_t wall_ms;
	bool live;
	bool by_allocation; /* else rows are sorted by live bytes */
	bool incremental;   /* allocated counts begin at the last such record */
	bool forced_gc;     /* the garbage was collected before */
	uint32_t sampled;   /* bytes between sampled allocations; 0: all count */
	double cutoff;
	struct site_row sums; /* its trace and class are NULL */
	size_t row_count;
	const struct site_row *rows;
};

/* CONTROL SETTINGS flags (HPROF binary format). */
enum { CONTROL_ALLOC_TRACES = 0x1, CONTROL_CPU_SAMPLING = 0x2 };

#endif
