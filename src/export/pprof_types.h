/*
 * pprof_types.h: the numbers that a sample of pprof has for each kind of section. Pure.
 */
#ifndef HPROF_EXPORT_PPROF_TYPES_H
#define HPROF_EXPORT_PPROF_TYPES_H

#include "export/stack_profile.h"

struct pprof_type {
	enum section_kind kind;
	const char *name;
	const char *unit;
	/* Of a row. interval_ms is the CPU time of a sample. At most INT64_MAX. */
	int64_t (*value)(const struct section_row *row, uint32_t interval_ms);
	bool is_live;     /* what is on the heap, not what was allocated */
	bool is_interval; /* not without interval_ms */
	bool is_cost;     /* a view of the kind shows it first; of two, the last */
};

enum { PPROF_TYPES_MAX = 24 };

/* The types that the series of a profile have, in their order; as many as *count, at most
 * PPROF_TYPES_MAX. *first is the index of the one to show first. */
void pprof_types_of(const struct stack_profile *stacks, const struct pprof_type **types,
                    size_t *count, size_t *first);

#endif
