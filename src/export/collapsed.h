/*
 * collapsed.h: a stack tree as collapsed stacks. One thread; no lock.
 */
#ifndef HPROF_EXPORT_COLLAPSED_H
#define HPROF_EXPORT_COLLAPSED_H

#include "console/output.h"
#include "report/stack_tree.h"

/* Writes a line for each node with a cost of its own: the names from the outermost on,
 * separated by semicolons, a blank, the cost. False when out of memory or the output failed. */
bool stack_tree_write_collapsed(const struct stack_tree *tree, struct output *output);

/* For other values by stack: the names of a node's stack, so separated. path is scratch with
 * room for collapsed_path_length() nodes. False when the output failed. */
bool collapsed_add_stack(struct output *output, const struct stack_tree *tree, uint32_t node,
                         uint32_t *path);
uint32_t collapsed_path_length(const struct stack_tree *tree);

#endif
