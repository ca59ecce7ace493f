/*
 * state_counts.h: the sampled time of each trace, state by state. No lock: the owner locks it.
 */
#ifndef HPROF_SAMPLING_STATE_COUNTS_H
#define HPROF_SAMPLING_STATE_COUNTS_H

#include "hprof/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times to add to a trace. */
struct state_charge {
	uint64_t samples;
	uint64_t ns[TRACE_STATES];
};

/* Zeroed to begin with. */
struct state_counts {
	struct state_charge *charges; /* by serial - TRACE_SERIAL_EMPTY */
	size_t capacity;
};

/* Adds to the trace. False without memory, with nothing added. */
bool state_counts_add(struct state_counts *counts, const struct trace *trace,
                      const struct state_charge *charge);

/* Sets all to 0. */
void state_counts_clear(struct state_counts *counts);
void state_counts_free(struct state_counts *counts);

/* The rows of all traces that have time, the longest first, then by serial; known is their mask of
 * states. *total_ns is their sum, *row_count the number of those that have at least cutoff, a share
 * of it. The caller frees them. NULL without memory. */
struct trace_states_row *state_counts_rank(const struct state_counts *counts,
                                           struct trace_table *traces, uint32_t known,
                                           double cutoff, uint64_t *total_ns, size_t *row_count);

#endif
