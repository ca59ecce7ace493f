/*
 * difference_rows.h: what changed between two profiles, by name and by stack, in the order of a
 * report. One thread; no lock.
 */
#ifndef HPROF_GATE_DIFFERENCE_ROWS_H
#define HPROF_GATE_DIFFERENCE_ROWS_H

#include "gate/difference.h"

struct difference_row {
	const struct string *name; /* the innermost of the stack */
	uint32_t node;             /* of a stack; 0: none */
	struct pair pair;
};

struct difference_rows {
	struct difference_row *rows; /* the largest change first, equal ones by name */
	size_t count;
};

/* Initialize a row for each innermost name or for each stack that has a value. False when out of
 * memory; difference_rows_free() must be called in either case. */
bool difference_rows_by_name(struct difference_rows *rows, const struct difference_part *part);
bool difference_rows_by_stack(struct difference_rows *rows, const struct difference_part *part);
void difference_rows_free(struct difference_rows *rows);

#endif
