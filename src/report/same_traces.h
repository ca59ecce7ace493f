/*
 * same_traces.h: traces that are equal once their names are stable (stable_name.h): a later one
 * stands for the first with its thread and frames. One thread; no lock.
 */
#ifndef HPROF_REPORT_SAME_TRACES_H
#define HPROF_REPORT_SAME_TRACES_H

#include "base/address_map.h"
#include "report/report_trace.h"

#include <stdbool.h>

struct same_traces {
	struct address_map names;  /* ids of names from which something was left out */
	struct address_map traces; /* by hash of thread and frames: serial number of the first */
	struct address_map later;  /* by serial number of a later one, plus 1: that of the first */
	bool stopped;
};

void same_traces_init(struct same_traces *same);
void same_traces_free(struct same_traces *same);

/* Whether any name in the profile had something left out. */
bool same_traces_any_name(const struct same_traces *same);

/* Notes a name from which something was left out. False when out of memory. */
bool same_traces_note_name(struct same_traces *same, const struct string *name);

/* Compares a trace with the earlier ones. traces, by serial number plus 1, has them all. False
 * when out of memory. */
bool same_traces_add(struct same_traces *same, const struct address_map *traces, uint32_t serial,
                     const struct report_trace *trace);

/* From now on every trace stands for itself: a file that defines one again has serial numbers that
 * do not last. */
void same_traces_stop(struct same_traces *same);

/* The serial number of the first trace with the frames of that one. */
uint32_t same_traces_first(const struct same_traces *same, uint32_t serial);

#endif
