/*
 * records.h: the records of a profile, for all formats. Those of monitor=y are in
 * monitor_records.h, those of heap dumps in heap_records.h. Each struct is valid during one
 * call; the caller owns everything it points to.
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

/* A CPU SAMPLES section. The caller has sorted the rows and applied the cutoff (see
 * cost_table.h); total includes rows below the cutoff. Rows without samples are not
 * written. */
struct cpu_samples_record {
	int64_t wall_ms;
	uint64_t total;
	size_t row_count;
	const struct cost_row *rows;
};

/* The samples of a trace in one bucket of time. */
struct sample_time_row {
	const struct trace *trace;
	uint64_t bucket;
	uint64_t count;
};

/* A SAMPLE TIMES section: when the samples of a CPU SAMPLES section were taken, without a
 * cutoff. Rows are sorted by trace serial, then by bucket, each pair once. */
struct sample_times_record {
	int64_t wall_ms;
	int64_t start_wall_ms; /* of bucket 0 */
	uint64_t bucket_ms;    /* length of a bucket */
	size_t row_count;
	const struct sample_time_row *rows;
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

enum cost_section { COST_SECTION_CPU, COST_SECTION_OFF_CPU, COST_SECTION_MONITOR };

/* The cost of a trace. */
struct trace_cost_row {
	const struct trace *trace;
	uint64_t ns;
	uint64_t count; /* calls or waits */
};

/* A TRACE COSTS section: the exact costs of a section, without a cutoff. Rows are
 * sorted by trace serial, each trace once; their sum is the total. */
struct trace_costs_record {
	enum cost_section section;
	int64_t wall_ms;
	uint64_t total_ns;
	size_t row_count;
	const struct trace_cost_row *rows;
};

/* One row of the cpu=old table: calls of one method by another, or by an unknown one. */
struct call_pair_row {
	const struct method *callee;
	const struct method *caller; /* NULL when not known */
	uint64_t calls;
	uint64_t total_ns; /* CPU time of the calls, including the calls they made */
};

/* One row of a THREAD MICROSTATES section. */
struct microstates_row {
	uint32_t thread_serial;
	const struct string *name;
	struct os_microstates states; /* if known is empty, nothing is known of the thread */
};

/* A THREAD MICROSTATES section. */
struct microstates_record {
	int64_t wall_ms;
	size_t row_count;
	const struct microstates_row *rows;
};

/* The states of a trace's self time: those of os_microstate, and what the agent knows of the
 * JVM. */
enum trace_state {
	TRACE_USR,
	TRACE_SYS,
	TRACE_TFL,
	TRACE_DFL,
	TRACE_LCK,
	TRACE_SLP,
	TRACE_IO, /* in a read or write */
	TRACE_LAT,
	TRACE_STW, /* stopped by the JVM */
	TRACE_STATES
};

/* One row of a TRACE MICROSTATES section. */
struct trace_states_row {
	const struct trace *trace;
	uint64_t calls;   /* or samples */
	uint64_t wall_ns; /* the sum of all states */
	uint64_t ns[TRACE_STATES];
	uint32_t known; /* bit 1u << enum trace_state; states that are not are 0 */
};

/* A TRACE MICROSTATES section; rows and total as for CPU SAMPLES, by wall_ns. */
struct trace_states_record {
	int64_t wall_ms;
	bool sampled; /* not exact: rows have samples, not calls */
	uint64_t total_ns;
	size_t row_count;
	const struct trace_states_row *rows;
};

/* HEAP SUMMARY. */
struct heap_summary_record {
	uint64_t live_bytes;
	uint64_t live_instances;
	uint64_t allocated_bytes; /* since the start; 0 if not counted */
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

/* A SITES section, or an ALLOC SITES record. The caller has sorted the rows and applied the
 * cutoff; sums includes rows below the cutoff. Without live, objects were not tracked, and
 * the live columns are 0. */
struct sites_record {
	int64_t wall_ms;
	bool live;
	bool by_allocation; /* rows are sorted by allocated bytes, not by live bytes */
	bool incremental;   /* allocated counts start at the last incremental record */
	bool forced_gc;     /* a garbage collection was forced before */
	uint32_t sampled;   /* bytes between sampled allocations; 0: all are counted */
	double cutoff;
	struct site_row sums; /* its trace and class are NULL */
	size_t row_count;
	const struct site_row *rows;
};

/* CONTROL SETTINGS flags (HPROF binary format). */
enum { CONTROL_ALLOC_TRACES = 0x1, CONTROL_CPU_SAMPLING = 0x2 };

#endif
