/*
 * method_costs.h: the costs of stacks by method, line, class, package or thread. One thread; no
 * lock.
 */
#ifndef HPROF_REPORT_METHOD_COSTS_H
#define HPROF_REPORT_METHOD_COSTS_H

#include "report/report_profile.h"

enum method_group { BY_METHOD, BY_LINE, BY_CLASS, BY_PACKAGE, BY_THREAD, METHOD_GROUPS };

/* What they are called, also on the command line. */
extern const char *const method_group_words[METHOD_GROUPS];

struct method_cost {
	const struct string *name;
	uint32_t thread; /* serial number, BY_THREAD only */
	bool is_rest;    /* of no stack */
	uint64_t self;   /* of stacks that end with it */
	uint64_t total;  /* of stacks that contain it, each once */
	uint64_t count;  /* of the stacks of self: samples, calls, waits or objects */
};

/* What the rows of a trace cost, to be added to the totals of its frames. */
struct trace_cost {
	const struct report_trace *trace;
	uint64_t cost;
};

struct method_costs {
	enum method_group group;
	enum section_kind kind; /* of the sections added */
	struct method_cost *rows;
	uint32_t count;
	size_t capacity;
	uint64_t total;     /* the sum of self of all rows */
	uint64_t stackless; /* of it, without a stack */
	bool exact;         /* false: costs were computed from rounded shares */
	bool sampled;       /* counts of a time are samples, not calls */

	struct address_map places; /* what a frame is grouped by to index in rows, plus 1 */
	struct address_map names;  /* id of a row's name to the same */
	uint64_t *last_stacks;     /* by row: number of the last trace that counted in its total */
	uint64_t traces_counted;
	struct address_map traces; /* number of a trace to index in trace_costs */
	struct trace_cost *trace_costs;
	size_t trace_count;
	size_t trace_capacity;
};

/* Initializes an empty table. method_costs_free() must be called. */
void method_costs_init(struct method_costs *costs, enum method_group group);
void method_costs_free(struct method_costs *costs);

/* Adds a section that has stacks. BY_CLASS means the class of the object in sections of sites and
 * monitors, and that of the method in others. The profile keeps its traces until
 * method_costs_finish(). False when out of memory. */
bool method_costs_add(struct method_costs *costs, const struct report_profile *profile,
                      const struct report_section *section);

/* Computes the totals, and sorts the rows by self, descending, then by total, then by name; those
 * of the rest last. No section can be added after it. False when out of memory. */
bool method_costs_finish(struct method_costs *costs, const struct report_profile *profile);

/* What the counts are: "samples", "calls", "waits" or "objects". */
const char *method_costs_counted(const struct method_costs *costs);

#endif
