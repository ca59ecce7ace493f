/*
 * trace_counts.h: one number per trace, by the trace's serial. Not locked: the
 * owner's lock covers it.
 */
#ifndef HPROF_SAMPLING_TRACE_COUNTS_H
#define HPROF_SAMPLING_TRACE_COUNTS_H

#include "model/traces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_counts {
	uint64_t *counts; /* by serial - TRACE_SERIAL_EMPTY */
	size_t capacity;
};

/* Adds count to the trace's number. False without memory. */
bool trace_counts_add(struct trace_counts *counts, const struct trace *trace, uint64_t count);

/* Sets all numbers to 0. */
void trace_counts_clear(struct trace_counts *counts);

void trace_counts_free(struct trace_counts *counts);

#endif
