/*
 * difference_table.h: prints a difference as tables: what is innermost (methods, classes or
 * monitors), and stacks, sorted by how much they changed. One thread; no lock.
 */
#ifndef HPROF_GATE_DIFFERENCE_TABLE_H
#define HPROF_GATE_DIFFERENCE_TABLE_H

#include "console/output.h"
#include "gate/difference.h"

/* Writes the tables of one part, with top rows each; 0: all. False when out of memory or the
 * output failed. */
bool difference_write_part(const struct difference_part *part, const struct difference_name *name,
                           size_t top, struct output *output);

#endif
