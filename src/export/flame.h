/*
 * flame.h: a stack tree as a flame graph. One thread; no lock.
 */
#ifndef HPROF_EXPORT_FLAME_H
#define HPROF_EXPORT_FLAME_H

#include "console/output.h"
#include "report/stack_tree.h"

/* Writes an SVG picture with title above it and unit after the costs. old_totals, by node, are
 * totals to compare with: frames that grew are red, frames that shrank blue; NULL: none. False when
 * out of memory or the output failed. */
bool stack_tree_write_flame(const struct stack_tree *tree, const uint64_t *old_totals,
                            const char *title, const char *unit, struct output *output);

#endif
