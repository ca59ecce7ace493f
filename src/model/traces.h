/*
 * traces.h: the unique stack traces, with their serial numbers in the output.
 */
#ifndef HPROF_MODEL_TRACES_H
#define HPROF_MODEL_TRACES_H

#include "model/frames.h"

#include <stdbool.h>
#include <stdint.h>

/* The empty trace, which every profile has. */
#define TRACE_SERIAL_EMPTY 300000u

struct trace {
	uint32_t serial;
	uint32_t thread_serial; /* 0 if threads share traces */
	uint32_t depth;         /* frames, innermost first */
	const struct frame *const *frames;
};

struct trace_table;

/* A table with only the empty trace, or NULL without memory. */
struct trace_table *trace_table_create(void);
void trace_table_destroy(struct trace_table *table);

/* The unique trace with these frames (and this thread, if not 0), added if it is new. The table
 * owns it; it stays valid as long as the table. Without frames it is the empty trace, for any
 * thread. *created is set if the trace is new and the caller should write it. NULL without
 * memory. Any thread; takes the table's lock. */
const struct trace *trace_table_intern(struct trace_table *table, const struct frame *const *frames,
                                       uint32_t depth, uint32_t thread_serial, bool *created);

/* The trace with that serial, or NULL. Any thread; takes the table's lock. */
const struct trace *trace_table_find(struct trace_table *table, uint32_t serial);

/* The number of traces; their serials start with TRACE_SERIAL_EMPTY. Any thread; takes the
 * table's lock. */
uint32_t trace_table_count(struct trace_table *table);

#endif
