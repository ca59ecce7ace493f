/*
 * trace_counts.h: a counter per trace, indexed by the trace's serial. No lock: the owner
 * locks it.
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

/* Adds count to the trace's counter. False without memory. */
bool trace_counts_add(struct trace_counts *counts, const struct trace *trace, uint64_t count);

/* Sets all counters to 0. */
void trace_counts_clear(struct trace_counts *counts);

void trace_counts_free(struct trace_counts *counts);

#endif
