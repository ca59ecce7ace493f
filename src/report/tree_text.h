/*
 * tree_text.h: prints a stack tree as indented text, callers above their callees. One thread; no
 * lock.
 */
#ifndef HPROF_REPORT_TREE_TEXT_H
#define HPROF_REPORT_TREE_TEXT_H

#include "console/output.h"
#include "report/stack_tree.h"

/* Prints the nodes with at least share of the total (from 0 to 1), the most expensive of each
 * caller first, and one line for the others of a caller. A line with + is one of several callees;
 * one without is the only callee of the line above. False when out of memory or the output
 * failed. */
bool stack_tree_write_text(const struct stack_tree *tree, double share, struct output *output);

#endif
