/*
 * tree_text.h: prints a stack tree as indented text, callers above their callees, or inverted,
 * callees above their callers. One thread; no lock.
 */
#ifndef HPROF_REPORT_TREE_TEXT_H
#define HPROF_REPORT_TREE_TEXT_H

#include "console/output.h"
#include "report/stack_tree.h"

struct tree_text {
	enum section_kind kind;
	bool is_inverted;
	double least_share; /* of the total, from 0 to 1, of a node that has a line */
};

/* Prints a heading, and the nodes below each node, the most expensive first, with one line for the
 * smaller ones. A line with + is one of several; one without is the only node below the line
 * above. False when out of memory or the output failed. */
bool stack_tree_write_text(const struct stack_tree *tree, const struct tree_text *text,
                           struct output *output);

#endif
