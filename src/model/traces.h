/*
 * traces.h: stack traces, once each, with the serial numbers of the output.
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
	uint32_t thread_serial; /* 0 when traces are shared by all threads */
	uint32_t depth;         /* frames, innermost first */
	const struct frame *const *frames;
};

struct trace_table;

/* A table that holds the empty trace, or NULL without memory. */
struct trace_table *trace_table_create(void);
void trace_table_destroy(struct trace_table *table);

/* The one trace with these frames (and this thread, when not 0); the table's,
 * for its lifetime. Without frames it is the empty trace, whatever the thread.
 * *created says whether it is new, so that the caller writes it out once. NULL
 * without memory. Any thread; takes the table's lock. */
const struct trace *trace_table_intern(struct trace_table *table, const struct frame *const *frames,
                                       uint32_t depth, uint32_t thread_serial, bool *created);

/* The trace with that serial, or NULL. */
const struct trace *trace_table_find(struct trace_table *table, uint32_t serial);

/* How many traces there are: their serials are TRACE_SERIAL_EMPTY and on. */
uint32_t trace_table_count(struct trace_table *table);

#endif
